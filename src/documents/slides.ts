import type { Block } from '@firecrawl/anydoc'
import type { ConvertedDocument } from './document.ts'
import { finish } from './finish.ts'
import { markdownTable } from './markdown-table.ts'
import { readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { packageMetadata } from './package-metadata.ts'
import { pptTables, type SlideTable } from './ppt-tables.ts'
import type { DocumentType } from './types/document-type.ts'

/** Presentations: pptx, ppt, odp; slides in their order, each with its notes. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const document = await readOffice(bytes, type.name)
  const tables = type.name === 'ppt' ? pptTables(bytes) : []
  const parts = partsOf(document.blocks, tables).map((part) =>
    'rows' in part
      ? markdownTable(part.rows)
      : officeMarkdown({ ...document, blocks: part.blocks, notes: [] }),
  )
  const notes = officeMarkdown({ ...document, blocks: [] })
  const markdown = [...parts, notes].filter((part) => part.trim() !== '').join('\n\n')
  return finish(markdown, { metadata: packageMetadata(bytes, type) })
}

type Part = { blocks: Block[] } | { rows: string[][] }

/** The library has the cells of a table as paragraphs, one after the other: where they stand, the table does. */
function partsOf(blocks: Block[], tables: SlideTable[]): Part[] {
  const texts = blocks.map(textOf)
  const parts: Part[] = []
  let from = 0
  for (const { texts: cells, rows } of tables) {
    const lines = cells.flatMap((cell) => cell.split(/[\r\v]/).map(plain)).filter((line) => line !== '')
    const at = placeOf(texts, lines, from)
    if (at === undefined) continue
    parts.push(
      { blocks: blocks.slice(from, at) },
      { rows: rows.map((row) => row.map((cell) => cell.replace(/[\r\v]/g, '\n'))) },
    )
    from = at + lines.length
  }
  return [...parts, { blocks: blocks.slice(from) }]
}

function placeOf(texts: string[], lines: string[], from: number): number | undefined {
  if (lines.length === 0) return undefined
  for (let at = from; at + lines.length <= texts.length; at += 1) {
    if (lines.every((line, index) => texts[at + index] === line)) return at
  }
  return undefined
}

const textOf = ({ content }: Block) => plain((content ?? []).map(({ text = '' }) => text).join(''))
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
