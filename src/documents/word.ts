import type { ConvertedDocument } from './document.ts'
import { finish } from './finish.ts'
import { mendDocx, unwrapFormulas } from './mend-docx.ts'
import { readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { packageMetadata } from './package-metadata.ts'
import { rtfText } from './rtf-text.ts'
import type { DocumentType } from './types/document-type.ts'
import { oldWordMarkdown } from './word-old.ts'

/** Word processors: docx, doc, odt, rtf. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const old = type.name === 'doc' ? oldWordMarkdown(bytes) : undefined
  if (old !== undefined) return finish(old)
  const whole = type.name === 'docx' ? mendDocx(bytes) : bytes
  const markdown = unwrapFormulas(officeMarkdown(await readOffice(whole, type.name)))
  const metadata = packageMetadata(bytes, type)
  // Some writers leave groups open, and the library then takes the whole text for a part of the preamble.
  if (type.name === 'rtf' && markdown.trim() === '') return finish(rtfText(bytes), { metadata })
  return finish(markdown, { metadata })
}
