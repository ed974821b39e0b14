import type { ConvertedPage } from '../document.ts'
import { toBlocks } from './blocks.ts'
import { bestTables, findTables } from './find-tables.ts'
import { typefaceOf } from './headings.ts'
import { readsToTheLeft, rejoin, toLines } from './lines.ts'
import { withoutMargins } from './margins.ts'
import { readingOrder } from './reading-order.ts'
import { isInside, type Piece, type RawPage } from './shapes.ts'
import { escapeText, writeBlocks } from './write-blocks.ts'

/** Pages of placed text → pages of Markdown. Fonts and repeated lines are judged over all of them. */
export function layOut(pages: RawPage[]): ConvertedPage[] {
  const pieces = pages.map(piecesOf)
  const isRecognised = pages.filter((page) => page.source === 'ocr').length > pages.length / 2
  const { bodySize } = typefaceOf(pieces, isRecognised)
  const kept = withoutMargins(
    pages.map((page, at) => ({ ...page, pieces: pieces[at] ?? [] })),
    bodySize,
  )
  const face = typefaceOf(kept, isRecognised)
  return pages.map((page, at) => {
    const startsRight = readsToTheLeft(page.runs.map((run) => run.text).join(''))
    const columns = readingOrder(kept[at] ?? [], startsRight).map((column) =>
      findTables(rejoin(column), page.rules, startsRight),
    )
    const blocks = toBlocks(columns.flat(), face)
    const written = writeBlocks(blocks, page)
    return { ...facts(page), ...written, markdown: withFields(written.markdown, page) }
  })
}

function piecesOf(page: RawPage): Piece[] {
  const tables = bestTables(
    page.tables,
    rejoin(toLines(page.runs)).filter((piece) => piece.kind === 'line'),
    page.rules,
  )
  const free = page.runs.filter((run) => !tables.some((table) => isInside(run, table)))
  return [...toLines(free), ...tables]
}

/** On the page, form values appear without their field names; the list at the end has both. */
function withFields(markdown: string, page: RawPage): string {
  const list = (page.fields ?? []).map(({ name, value }) => `- ${escapeText(name)}: ${escapeText(value)}`)
  return [markdown, list.join('\n')].filter((part) => part !== '').join('\n\n')
}

function facts({
  pageNumber,
  width,
  height,
}: RawPage): Pick<ConvertedPage, 'pageNumber' | 'width' | 'height' | 'status'> {
  return { pageNumber, width, height, status: 'ok' }
}
