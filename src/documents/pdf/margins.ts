import { median, middle, type Piece } from './shapes.ts'

export interface PageLines {
  width: number
  height: number
  pieces: Piece[]
}

/** How much of a page, at its top and its bottom, may hold what repeats. */
const band = 0.12

/** Takes out running headers, footers and page numbers: by repetition over the pages, by their place on a single one. */
export function withoutMargins(pages: PageLines[], bodySize: number): Piece[][] {
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
