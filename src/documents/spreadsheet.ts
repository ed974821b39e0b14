import type { ConvertedDocument } from './document.ts'
import { finish } from './finish.ts'
import type { DocumentType } from './index.ts'
import { readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { packageMetadata } from './package-metadata.ts'
import { sheetNames } from './sheet-names.ts'

/** Workbooks: a heading and a table for each sheet that is shown. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const document = await readOffice(bytes, type.name)
  const markdown = officeMarkdown(document)
  // The library heads the sheets only where there are several.
  const kinds: string[] = document.blocks.map((block) => block.kind)
  const isHeaded = kinds.includes('heading')
  const [name] = isHeaded || markdown.trim() === '' ? [] : sheetNames(bytes, type)
  const head = name === undefined ? '' : `## ${name.replace(/\s+/g, ' ').replace(/[\\`*_[\]<]/g, '\\$&')}\n\n`
  return finish(head + markdown, { metadata: packageMetadata(bytes, type) })
}
