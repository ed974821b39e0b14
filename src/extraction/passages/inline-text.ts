/** Signs that may mean something in a line of Markdown; a line without them is its own text. */
const signs = /[\\`*_~[<]/
/** Longer targets, codes and names of notes are no such things: what looks for their end must not search a whole page. */
const lookAhead = 4000
/** After this many vain searches in one text, it is not Markdown. */
const maxFailedAttempts = 100
const punctuation = /[!-/:-@[-`{-~]/
const note = /\[\^[^\]\s]{1,100}\]/y
const lineBreak = /<br ?\/?>/iy
const address = /<(https?:\/\/[^<>\s]{1,2000}|[^<>\s@]{1,100}@[^<>\s]{1,200})>/y
const run = /([*_~`])\1*/y

/** One line or paragraph of Markdown → the words that a reader sees. Pictures and marks of notes are none. */
export function inlineText(markdown: string): string {
  if (!signs.test(markdown)) return markdown
  const reading: Reading = { markdown, at: 0, pieces: [], brackets: [], marks: [], vain: 0 }
  while (reading.at < markdown.length) {
    const next = nextSign(markdown, reading.at)
    if (next > reading.at) reading.pieces.push(markdown.slice(reading.at, next))
    reading.at = next
    if (next < markdown.length) readSign(reading)
  }
  return reading.pieces.join('')
}

interface Reading {
  markdown: string
  at: number
  pieces: string[]
  /** Brackets that may begin a link or a picture, by the piece that holds them. */
  brackets: { piece: number; isPicture: boolean }[]
  /** Marks that wait for their partner. */
  marks: { mark: string; piece: number }[]
  /** How often the end of something was not found. */
  vain: number
}

const sign = /[\\`*_~[\]!<]/g

function nextSign(markdown: string, from: number): number {
  sign.lastIndex = from
  return sign.exec(markdown)?.index ?? markdown.length
}

function readSign(reading: Reading): void {
  const { markdown, at } = reading
  const found = markdown[at] ?? ''
  if (found === '\\') readEscaped(reading)
  else if (found === '[' || (found === '!' && markdown[at + 1] === '[')) openBracket(reading)
  else if (found === ']') closeBracket(reading)
  else if (found === '<') readTag(reading)
  else if (found === '!') take(reading, 1, '!')
  else if (found === '`') readCode(reading)
  else readMark(reading)
}

function take(reading: Reading, length: number, text: string): void {
  reading.at += length
  reading.pieces.push(text)
}

function readEscaped(reading: Reading): void {
  const next = reading.markdown[reading.at + 1] ?? ''
  if (punctuation.test(next)) take(reading, 2, next)
  else take(reading, 1, '\\')
}

function openBracket(reading: Reading): void {
  const { markdown, at, pieces, brackets } = reading
  const length = matched(note, markdown, at)?.length
  if (length !== undefined && markdown[at + length] !== '(') {
    take(reading, length, '')
    return
  }
  const isPicture = markdown[at] === '!'
  brackets.push({ piece: pieces.length, isPicture })
  take(reading, isPicture ? 2 : 1, isPicture ? '![' : '[')
}

function closeBracket(reading: Reading): void {
  const { markdown, at, pieces, brackets } = reading
  const open = brackets.pop()
  const mayEnd = open && markdown[at + 1] === '(' && reading.vain < maxFailedAttempts
  const end = mayEnd ? targetEnd(markdown, at + 1) : undefined
  if (mayEnd && end === undefined) reading.vain += 1
  if (!open || end === undefined) take(reading, 1, ']')
  else {
    reading.at = end
    if (open.isPicture) dropFrom(reading, open.piece)
    else pieces[open.piece] = ''
  }
}

function dropFrom({ pieces, marks }: Reading, piece: number): void {
  pieces.length = piece
  while ((marks.at(-1)?.piece ?? -1) >= piece) marks.pop()
}

/** Behind the target of a link, which begins with a parenthesis; undefined where it is none. */
function targetEnd(markdown: string, from: number): number | undefined {
  const most = Math.min(markdown.length, from + lookAhead)
  let depth = 0
  for (let at = from; at < most; at += 1) {
    const found = markdown[at]
    if (found === '\\') at += 1
    else if (found === '\n') return undefined
    else if (found === '(') depth += 1
    else if (found === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function readTag(reading: Reading): void {
  const { markdown, at } = reading
  const lineEnd = matched(lineBreak, markdown, at)
  const link = matched(address, markdown, at)
  if (lineEnd !== undefined) take(reading, lineEnd.length, ' ')
  else if (link !== undefined) take(reading, link.length, link.slice(1, -1))
  else take(reading, 1, '<')
}

function readCode(reading: Reading): void {
  const { markdown, at } = reading
  const mark = matched(run, markdown, at) ?? '`'
  const start = at + mark.length
  const part = reading.vain < maxFailedAttempts ? markdown.slice(start, start + lookAhead) : ''
  const end = part.indexOf(mark)
  if (end === -1 || part[end + mark.length] === '`') {
    reading.vain += 1
    take(reading, mark.length, mark)
    return
  }
  const code = part.slice(0, end)
  // The spaces that divide the marks from a code that has such a mark itself.
  take(reading, end + 2 * mark.length, /^ .*` $|^ `.* $/.test(code) ? code.slice(1, -1) : code)
}

/** Emphasis disappears where it has both its ends; other marks are characters of the text. */
function readMark(reading: Reading): void {
  const { markdown, at, pieces, marks } = reading
  const mark = matched(run, markdown, at) ?? markdown.charAt(at)
  const [before, after] = [markdown[at - 1] ?? ' ', markdown[at + mark.length] ?? ' ']
  const isInWord = mark[0] === '_' && isWord(before) && isWord(after)
  const isMark = !isInWord && mark.length <= 3 && (mark[0] !== '~' || mark.length === 2)
  const partner = isMark && before.trim() !== '' ? marks.findLastIndex((open) => open.mark === mark) : -1
  if (partner !== -1) {
    pieces[marks[partner]?.piece ?? 0] = ''
    marks.length = partner
    take(reading, mark.length, '')
    return
  }
  // A few that are open at once are enough, and bound what is searched.
  if (isMark && after.trim() !== '' && marks.length < maxOpen) marks.push({ mark, piece: pieces.length })
  take(reading, mark.length, mark)
}

const maxOpen = 8
const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

function matched(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
