import type { ConvertedPage, PageBlock } from '../document.ts'
import { renderMarkdownTable } from '../finish.ts'
import { type Block, getFontStatistics, toBlocks } from './blocks.ts'
import { chooseTables, findTables } from './find-tables.ts'
import { isRightToLeftText, isWide, joinRuns, rejoin, toLines } from './lines.ts'
import { sortByReadingOrder } from './reading-order.ts'
import { isInside, type Line, median, middle, type Piece, type RawPage, type Run } from './shapes.ts'

export function layOut(pages: RawPage[]): ConvertedPage[] {
  const pieces = pages.map(toPieces)
  const isMostlyOcr = pages.filter((page) => page.source === 'ocr').length > pages.length / 2
  const { bodySize } = getFontStatistics(pieces, isMostlyOcr)
  const pageLines = pages.map((page, at) => ({ ...page, pieces: pieces[at] ?? [] }))
  const contentPieces = removeMargins(pageLines, bodySize)
  const fonts = getFontStatistics(contentPieces, isMostlyOcr)
  return pages.map((page, at) => {
    const isRightToLeft = isRightToLeftText(page.runs.map((run) => run.text).join(''))
    const columns = sortByReadingOrder(contentPieces[at] ?? [], isRightToLeft).map((column) =>
      findTables(rejoin(column), page.rules, isRightToLeft),
    )
    const { markdown, blocks } = writeBlocks(toBlocks(columns.flat(), fonts), page)
    const { pageNumber, width, height } = page
    return { pageNumber, width, height, blocks, markdown: withFields(markdown, page) }
  })
}

function toPieces(page: RawPage): Piece[] {
  const lines = rejoin(toLines(page.runs)).filter((piece) => piece.kind === 'line')
  const tables = chooseTables(page.tables, lines, page.rules)
  const free = page.runs.filter((run) => !tables.some((table) => isInside(run, table)))
  return [...toLines(free), ...tables]
}

/** On the page, form values appear without their field names; the list has both. */
function withFields(markdown: string, page: RawPage): string {
  const list = (page.fields ?? []).map(({ name, value }) => `- ${escapeText(name)}: ${escapeText(value)}`)
  return [markdown, list.join('\n')].filter((part) => part !== '').join('\n\n')
}

function writeBlocks(blocks: Block[], page: RawPage): { markdown: string; blocks: PageBlock[] } {
  let markdown = ''
  let previous: Block | undefined
  const written: PageBlock[] = []
  for (const block of blocks) {
    const content = writeBlock(block)
    if (content.trim() === '') continue
    if (markdown !== '') markdown += previous?.type === 'list' && block.type === 'list' ? '\n' : '\n\n'
    const start = markdown.length
    markdown += content
    previous = block
    written.push({
      type: block.type,
      bbox: toPageShares(block, page),
      content,
      markdownSpan: [start, markdown.length],
      source: page.source,
      ...(page.source === 'ocr' && { confidence: confidenceOf(block) }),
    })
  }
  return { markdown, blocks: written }
}

function writeBlock(block: Block): string {
  if (block.rows) return renderMarkdownTable(block.rows, cellText)
  if (block.type === 'code') return `\`\`\`\n${block.lines.map((line) => line.text).join('\n')}\n\`\`\``
  if (block.type === 'heading') {
    const text = collapseSpaces(joinLines(block.lines, (line) => line.text)).replace(/\s*#+$/, '')
    return `${'#'.repeat(block.level ?? 1)} ${text}`
  }
  const text = joinLines(block.lines, renderStyledLine)
  if (block.type !== 'list') return escapeStart(text)
  if ((block.marker ?? '-') !== '-') return text
  return `- ${text.replace(/^(?:\*\*)?[•‣◦▪■●○–—*·-]\s*(?:\*\*)?\s*/, '')}`
}

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

function renderStyledLine(line: Line): string {
  if (line.runs.every((run) => run.link === undefined)) return escapeText(line.text)
  return joinRuns(line.runs, writeRun)
}

function writeRun(run: Run): string {
  const text = escapeText(run.text)
  if (run.link === undefined || text.trim() === '') return text
  const url = run.link.replace(/[\s()<>]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
  return `[${text.trim()}](${url})`
}

const escapeText = (text: string) => text.replace(/[*_`[\]<]/g, '\\$&')
const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()

const escapeStart = (text: string) => text.replace(/^(?:#{1,6}\s|>|\+\s|-\s|={3,}|-{3,})/, '\\$&')

const cellText = (text: string) => collapseSpaces(text).replace(/(?<!\\)\|/g, '\\|')

function toPageShares(block: Block, page: RawPage): [number, number, number, number] {
  const share = (value: number, total: number) =>
    Math.min(1, Math.max(0, Math.round((value / total) * 1e4) / 1e4))
  const [left, right] = [share(block.left, page.width), share(block.right, page.width)]
  return [left, share(block.top, page.height), right, share(block.bottom, page.height)]
}

function confidenceOf(block: Block): number {
  const runs = block.lines.flatMap((line) => line.runs)
  const sum = runs.reduce((sumSoFar, run) => sumSoFar + (run.confidence ?? 0), 0)
  return runs.length === 0 ? 0 : Math.round((sum / runs.length) * 1000) / 1000
}

type PageLines = Pick<RawPage, 'width' | 'height'> & { pieces: Piece[] }

const marginShare = 0.12

function removeMargins(pages: PageLines[], bodySize: number): Piece[][] {
  const repeated = findRepeatedTexts(pages)
  return pages.map((page) => {
    const inBand = page.pieces.filter((piece) => isInBand(piece, page))
    const repeatedPieces = inBand.filter((piece) => repeated.has(getSignature(piece)))
    const runningTitles = repeatedPieces.filter((piece) => isDetached(piece, page, repeatedPieces))
    const numbered = [...inBand.filter(isPageNumber), ...findLinesBesideNumbers(inBand, bodySize)]
    const dropped = new Set([...runningTitles, ...numbered])
    for (const piece of findIsolatedLines(page, dropped, bodySize)) dropped.add(piece)
    const remaining = page.pieces.filter((piece) => !dropped.has(piece))
    // Margins are a small part of a page. If most of its text would be removed, the page is kept unchanged.
    return countLetters(remaining) < countLetters(page.pieces) * 0.6 && page.pieces.length < 12
      ? page.pieces
      : remaining
  })
}

function countLetters(pieces: Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === 'line' ? piece.text.length : 100), 0)
}

function isInBand(piece: Piece, page: PageLines): boolean {
  const y = middle(piece) / page.height
  return y < marginShare || y > 1 - marginShare
}

/** Combines approximate position and text without numbers, which are equal on all pages of a chapter. */
function getSignature(piece: Piece): string {
  if (piece.kind !== 'line') return ''
  return `${Math.round(piece.top / 12)} ${piece.text.replace(/\d+/g, '#').toLowerCase()}`
}

function findRepeatedTexts(pages: PageLines[]): Set<string> {
  const seen = new Map<string, number>()
  for (const page of pages) {
    const texts = new Set(page.pieces.filter((piece) => isInBand(piece, page)).map(getSignature))
    for (const text of texts) if (text !== '') seen.set(text, (seen.get(text) ?? 0) + 1)
  }
  const minPages = pages.length <= 3 ? 2 : Math.max(2, Math.min(4, pages.length * 0.3))
  return new Set([...seen].filter(([, times]) => times >= minPages).map(([text]) => text))
}

/** A sentence that is on every page by chance continues in the next line; a running title does not. */
function isDetached(piece: Piece, page: PageLines, repeatedPieces: Piece[]): boolean {
  if (piece.kind !== 'line') return false
  const isTop = middle(piece) < page.height / 2
  return !page.pieces.some((other) => {
    if (other.kind !== 'line' || other === piece || repeatedPieces.includes(other)) return false
    const gap = isTop ? other.top - piece.bottom : piece.top - other.bottom
    const overlaps = Math.min(other.right, piece.right) - Math.max(other.left, piece.left) > piece.size * 3
    const isClose = gap > -piece.size * 0.5 && gap < piece.size * 0.6
    return isClose && overlaps && Math.abs(other.size - piece.size) < piece.size * 0.2
  })
}

function isPageNumber(piece: Piece): boolean {
  if (piece.kind !== 'line' || piece.text.length > 30) return false
  const text = piece.text.replace(/^[\s\-–—|·•.[(]+|[\s\-–—|·•.\])]+$/g, '')
  if (/^\d{1,4}$/.test(text) || /^[ivxlc]{1,6}$/i.test(text)) return true
  return (
    /^(?:page|seite|página|pagina|p\.?|стр\.?)\s*\d{1,4}(?:\s*(?:of|von|de|di|\/)\s*\d{1,4})?$/i.test(text) ||
    /^\d{1,4}\s*(?:of|\/)\s*\d{1,4}$/.test(text)
  )
}

function findLinesBesideNumbers(pieces: Piece[], bodySize: number): Piece[] {
  const numbers = pieces.filter(isPageNumber)
  return pieces.filter((piece) => {
    if (piece.kind !== 'line' || piece.size > bodySize * 1.2 || piece.text.length > 120) return false
    return numbers.some(
      (number) => number !== piece && Math.abs(middle(number) - middle(piece)) < piece.size * 0.6,
    )
  })
}

/** On a single page nothing repeats, so small lines far above or below all others are found. */
function findIsolatedLines(page: PageLines, dropped: Set<Piece>, bodySize: number): Piece[] {
  const rest = page.pieces.filter((piece) => !dropped.has(piece))
  if (rest.length < 8) return []
  return [...findIsolatedAtEdge(rest, page, bodySize, 1), ...findIsolatedAtEdge(rest, page, bodySize, -1)]
}

function findIsolatedAtEdge(pieces: Piece[], page: PageLines, bodySize: number, direction: 1 | -1): Piece[] {
  const from = (piece: Piece) => (direction === 1 ? piece.top : page.height - piece.bottom)
  const to = (piece: Piece) => (direction === 1 ? piece.bottom : page.height - piece.top)
  const sorted = pieces.toSorted((a, b) => from(a) - from(b))
  const isolatedPieces: Piece[] = []
  let end = 0
  let rows = 0
  const pitch = median(pieces.map((piece) => (piece.kind === 'line' ? piece.size : bodySize))) * 1.2
  for (const piece of sorted) {
    if (isolatedPieces.length > 0 && from(piece) > end + pitch * 0.9) {
      return isolatedPieces.every((line) => isSmall(line, bodySize)) ? isolatedPieces : []
    }
    if (from(piece) > end - pitch * 0.3) rows += 1
    if (to(piece) > page.height * 0.09 || rows > 3) return []
    isolatedPieces.push(piece)
    end = Math.max(end, to(piece))
  }
  return []
}

function isSmall(piece: Piece, bodySize: number): boolean {
  return piece.kind === 'line' && piece.size <= bodySize * 1.05 && piece.text.length < 120
}
