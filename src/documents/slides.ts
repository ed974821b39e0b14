import type { ConvertedDocument } from './document.ts'
import { finish } from './finish.ts'
import type { DocumentType } from './index.ts'
import { readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { packageMetadata } from './package-metadata.ts'

/** Presentations: pptx, ppt, odp; slides in their order, each with its notes. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const markdown = officeMarkdown(await readOffice(bytes, type.name))
  return finish(markdown, { metadata: packageMetadata(bytes, type) })
}
