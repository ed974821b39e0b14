import type { ConvertedPage, PageBlock } from '../document.ts'
import { markdownTable } from '../finish.ts'
import { type Block, fontFamilyOf, toBlocks } from './blocks.ts'
import { bestTables, findTables } from './find-tables.ts'
import { isWide, joinRuns, readsToTheLeft, rejoin, toLines } from './lines.ts'
import { readingOrder } from './reading-order.ts'
import { isInside, type Line, median, middle, type Piece, type RawPage, type Run } from './shapes.ts'

/** Pages of placed text → pages of Markdown. Fonts and repeated lines are judged over all of them. */
export function layOut(pages: RawPage[]): ConvertedPage[] {
  const pieces = pages.map(piecesOf)
  const isRecognised = pages.filter((page) => page.source === 'ocr').length > pages.length / 2
  const { bodySize } = fontFamilyOf(pieces, isRecognised)
  const kept = withoutMargins(
    pages.map((page, at) => ({ ...page, pieces: pieces[at] ?? [] })),
    bodySize,
  )
  const face = fontFamilyOf(kept, isRecognised)
  return pages.map((page, at) => {
    const startsRight = readsToTheLeft(page.runs.map((run) => run.text).join(''))
    const columns = readingOrder(kept[at] ?? [], startsRight).map((column) =>
      findTables(rejoin(column), page.rules, startsRight),
    )
    const blocks = toBlocks(columns.flat(), face)
    const written = writeBlocks(blocks, page)
    const { pageNumber, width, height } = page
    const markdown = withFields(written.markdown, page)
    return { pageNumber, width, height, status: 'ok', ...written, markdown }
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

/** Blocks of one page → its Markdown, and where each block stands in it. */
function writeBlocks(blocks: Block[], page: RawPage): { markdown: string; blocks: PageBlock[] } {
  let markdown = ''
  let before: Block | undefined
  const written: PageBlock[] = []
  for (const block of blocks) {
    const content = writeBlock(block)
    if (content.trim() === '') continue
    if (markdown !== '') markdown += before?.type === 'list' && block.type === 'list' ? '\n' : '\n\n'
    const start = markdown.length
    markdown += content
    before = block
    written.push({
      type: block.type,
      bbox: shares(block, page),
      content,
      markdownSpan: [start, markdown.length],
      source: page.source,
      ...(page.source === 'ocr' ? { confidence: confidenceOf(block) } : {}),
    })
  }
  return { markdown, blocks: written }
}

function writeBlock(block: Block): string {
  if (block.rows) return markdownTable(block.rows, cellText)
  if (block.type === 'code') return `\`\`\`\n${block.lines.map((line) => line.text).join('\n')}\n\`\`\``
  if (block.type === 'heading') {
    const text = plain(joinLines(block.lines, (line) => line.text)).replace(/\s*#+$/, '')
    return `${'#'.repeat(block.level ?? 1)} ${text}`
  }
  const text = joinLines(block.lines, styledLine)
  if (block.type !== 'list') return guarded(text)
  if ((block.marker ?? '-') !== '-') return text
  return `- ${text.replace(/^(?:\*\*)?[•‣◦▪■●○–—*·-]\s*(?:\*\*)?\s*/, '')}`
}

/** Lines → one text; a word that was cut at the end of a line is mended. */
function joinLines(lines: Line[], write: (line: Line) => string): string {
  let text = ''
  for (const line of lines) {
    const next = write(line)
    if (text === '') text = next
    else if (/\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next)) text = text.slice(0, -1) + next
    else text += isWide(text.at(-1)) && isWide(next[0]) ? next : ` ${next}`
  }
  return text
}

/** Bold and italic stretches, and links, as Markdown has them. */
function styledLine(line: Line): string {
  if (line.runs.every((run) => run.link === undefined)) return escapeText(line.text)
  return joinRuns(line.runs, writeRun)
}

function writeRun(run: Run): string {
  const text = escapeText(run.text)
  if (run.link === undefined || text.trim() === '') return text
  const address = run.link.replace(/[\s()<>]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
  return `[${text.trim()}](${address})`
}

const escapeText = (text: string) => text.replace(/[*_`[\]<]/g, '\\$&')
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A paragraph must not turn into something else by the way it begins. */
function guarded(text: string): string {
  return text.replace(/^(?:#{1,6}\s|>|\+\s|-\s|={3,}|-{3,})/, '\\$&')
}

const cellText = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')
    .trim()

function shares(block: Block, page: RawPage): [number, number, number, number] {
  const share = (value: number, whole: number) =>
    Math.min(1, Math.max(0, Math.round((value / whole) * 1e4) / 1e4))
  return [
    share(block.left, page.width),
    share(block.top, page.height),
    share(block.right, page.width),
    share(block.bottom, page.height),
  ]
}

function confidenceOf(block: Block): number {
  const runs = block.lines.flatMap((line) => line.runs)
  const sum = runs.reduce((all, run) => all + (run.confidence ?? 0), 0)
  return runs.length === 0 ? 0 : Math.round((sum / runs.length) * 1000) / 1000
}

interface PageLines {
  width: number
  height: number
  pieces: Piece[]
}

/** How much of a page, at its top and its bottom, may hold what repeats. */
const band = 0.12

/** Takes out running headers, footers and page numbers: by repetition over the pages, by their place on a single one. */
function withoutMargins(pages: PageLines[], bodySize: number): Piece[][] {
  const repeated = repeatedTexts(pages)
  return pages.map((page) => {
    const inBand = page.pieces.filter((piece) => isInBand(piece, page))
    const same = inBand.filter((piece) => repeated.has(signature(piece)))
    const dropped = new Set(
      inBand.filter(
        (piece) => isPageNumber(piece) || (same.includes(piece) && isDetached(piece, page, same)),
      ),
    )
    for (const piece of besideNumbers(inBand, bodySize)) dropped.add(piece)
    for (const piece of isolatedLines(page, dropped, bodySize)) dropped.add(piece)
    const kept = page.pieces.filter((piece) => !dropped.has(piece))
    // Margins are a small part of a page; what would take most of it away was no margin.
    return letters(kept) < letters(page.pieces) * 0.6 && page.pieces.length < 12 ? page.pieces : kept
  })
}

function letters(pieces: Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === 'line' ? piece.text.length : 100), 0)
}

function isInBand(piece: Piece, page: PageLines): boolean {
  const y = middle(piece) / page.height
  return y < band || y > 1 - band
}

/** The text without its numbers, and roughly where it stands: the same on every page of a chapter. */
function signature(piece: Piece): string {
  if (piece.kind !== 'line') return ''
  return `${Math.round(piece.top / 12)} ${piece.text.replace(/\d+/g, '#').toLowerCase()}`
}

function repeatedTexts(pages: PageLines[]): Set<string> {
  const seen = new Map<string, number>()
  for (const page of pages) {
    const texts = new Set(page.pieces.filter((piece) => isInBand(piece, page)).map(signature))
    for (const text of texts) if (text !== '') seen.set(text, (seen.get(text) ?? 0) + 1)
  }
  const least = pages.length <= 3 ? 2 : Math.max(2, Math.min(4, pages.length * 0.3))
  return new Set([...seen].filter(([, times]) => times >= least).map(([text]) => text))
}

/** A sentence that happens to stand on every page goes on in the next line; a running title does not. */
function isDetached(piece: Piece, page: PageLines, same: Piece[]): boolean {
  if (piece.kind !== 'line') return false
  const isTop = middle(piece) < page.height / 2
  return !page.pieces.some((other) => {
    if (other.kind !== 'line' || other === piece || same.includes(other)) return false
    const gap = isTop ? other.top - piece.bottom : piece.top - other.bottom
    const isBeside = Math.min(other.right, piece.right) - Math.max(other.left, piece.left) > piece.size * 3
    return (
      gap > -piece.size * 0.5 &&
      gap < piece.size * 0.6 &&
      isBeside &&
      Math.abs(other.size - piece.size) < piece.size * 0.2
    )
  })
}

const roman = /^[ivxlc]{1,6}$/i

/** A number alone, or one with a word for "page" or dashes around it. */
function isPageNumber(piece: Piece): boolean {
  if (piece.kind !== 'line' || piece.text.length > 30) return false
  const text = piece.text.replace(/^[\s\-–—|·•.[(]+|[\s\-–—|·•.\])]+$/g, '')
  if (/^\d{1,4}$/.test(text) || roman.test(text)) return true
  return (
    /^(?:page|seite|página|pagina|p\.?|стр\.?)\s*\d{1,4}(?:\s*(?:of|von|de|di|\/)\s*\d{1,4})?$/i.test(text) ||
    /^\d{1,4}\s*(?:of|\/)\s*\d{1,4}$/.test(text)
  )
}

/** What stands on one line with the page number belongs to it: the title of the chapter, the date of the issue. */
function besideNumbers(pieces: Piece[], bodySize: number): Piece[] {
  const numbers = pieces.filter(isPageNumber)
  return pieces.filter((piece) => {
    if (piece.kind !== 'line' || piece.size > bodySize * 1.2 || piece.text.length > 120) return false
    return numbers.some(
      (number) => number !== piece && Math.abs(middle(number) - middle(piece)) < piece.size * 0.6,
    )
  })
}

/** On a single page nothing repeats; a small line far above or below everything else is taken for a header or footer. */
function isolatedLines(page: PageLines, dropped: Set<Piece>, bodySize: number): Piece[] {
  const rest = page.pieces.filter((piece) => !dropped.has(piece))
  if (rest.length < 8) return []
  return [...isolatedAt(rest, page, bodySize, 1), ...isolatedAt(rest, page, bodySize, -1)]
}

function isolatedAt(pieces: Piece[], page: PageLines, bodySize: number, way: 1 | -1): Piece[] {
  const from = (piece: Piece) => (way === 1 ? piece.top : page.height - piece.bottom)
  const to = (piece: Piece) => (way === 1 ? piece.bottom : page.height - piece.top)
  const sorted = pieces.toSorted((one, other) => from(one) - from(other))
  const found: Piece[] = []
  let end = 0
  let rows = 0
  const pitch = median(pieces.map((piece) => (piece.kind === 'line' ? piece.size : bodySize))) * 1.2
  for (const piece of sorted) {
    const isNext = from(piece) > end - pitch * 0.3
    if (found.length > 0 && from(piece) > end + pitch * 0.9) {
      return found.every((one) => isSmall(one, bodySize)) ? found : []
    }
    if (isNext) rows += 1
    if (to(piece) > page.height * 0.09 || rows > 3) return []
    found.push(piece)
    end = Math.max(end, to(piece))
  }
  return []
}

function isSmall(piece: Piece, bodySize: number): boolean {
  return piece.kind === 'line' && piece.size <= bodySize * 1.05 && piece.text.length < 120
}
