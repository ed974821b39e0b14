const markdownCharacters = /[\\`*_~[<]/
/** The end of a link or of code is searched only within this length, not in the rest of the page. */
const maxSyntaxLength = 4000
/** After this number of failed searches, links and code in the text are treated as plain text. */
const maxFailedSearches = 100
const punctuation = /[!-/:-@[-`{-~]/
const footnoteMarker = /\[\^[^\]\s]{1,100}\]/y
const lineBreak = /<br ?\/?>/iy
const autolink = /<(https?:\/\/[^<>\s]{1,2000}|[^<>\s@]{1,100}@[^<>\s]{1,200})>/y
const delimiterRun = /([*_~`])\1*/y

/** Leaves out images and footnote markers. */
export function inlineText(markdown: string): string {
  if (!markdownCharacters.test(markdown)) return markdown
  const state: ParserState = {
    ...{ markdown, at: 0, pieces: [], brackets: [], openDelimiters: [], failedSearches: 0 },
  }
  while (state.at < markdown.length) {
    const next = findNextSyntax(markdown, state.at)
    if (next > state.at) state.pieces.push(markdown.slice(state.at, next))
    state.at = next
    if (next < markdown.length) readSyntax(state)
  }
  return state.pieces.join('')
}

interface ParserState {
  markdown: string
  at: number
  pieces: string[]
  /** Brackets that may begin a link or an image, with their index in `pieces`. */
  brackets: { piece: number; isPicture: boolean }[]
  openDelimiters: { delimiter: string; piece: number }[]
  /** Number of searches that did not find the end of a link target or of code. */
  failedSearches: number
}

const syntaxCharacter = /[\\`*_~[\]!<]/g

function findNextSyntax(markdown: string, from: number): number {
  syntaxCharacter.lastIndex = from
  return syntaxCharacter.exec(markdown)?.index ?? markdown.length
}

function readSyntax(state: ParserState): void {
  const { markdown, at } = state
  const character = markdown[at] ?? ''
  const next = markdown[at + 1] ?? ''
  const isEscape = character === '\\' && punctuation.test(next)
  if (character === '\\') consume(state, isEscape ? 2 : 1, isEscape ? next : character)
  else if (character === '[' || (character === '!' && next === '[')) openBracket(state)
  else if (character === ']') closeBracket(state)
  else if (character === '<') readTag(state)
  else if (character === '!') consume(state, 1, '!')
  else if (character === '`') readCode(state)
  else readDelimiter(state)
}

function consume(state: ParserState, length: number, text: string): void {
  state.at += length
  state.pieces.push(text)
}

function openBracket(state: ParserState): void {
  const { markdown, at, pieces, brackets } = state
  const length = matchAt(footnoteMarker, markdown, at)?.length
  if (length !== undefined && markdown[at + length] !== '(') {
    consume(state, length, '')
    return
  }
  const isPicture = markdown[at] === '!'
  brackets.push({ piece: pieces.length, isPicture })
  consume(state, isPicture ? 2 : 1, isPicture ? '![' : '[')
}

function closeBracket(state: ParserState): void {
  const { markdown, at, pieces, brackets } = state
  const opening = brackets.pop()
  const mayEnd = opening && markdown[at + 1] === '(' && state.failedSearches < maxFailedSearches
  const end = mayEnd ? targetEnd(markdown, at + 1) : undefined
  if (mayEnd && end === undefined) state.failedSearches += 1
  if (!opening || end === undefined) consume(state, 1, ']')
  else {
    state.at = end
    if (opening.isPicture) dropFrom(state, opening.piece)
    else pieces[opening.piece] = ''
  }
}

function dropFrom({ pieces, openDelimiters }: ParserState, piece: number): void {
  pieces.length = piece
  while ((openDelimiters.at(-1)?.piece ?? -1) >= piece) openDelimiters.pop()
}

/** The target begins with a parenthesis. Returns the offset after it. */
function targetEnd(markdown: string, from: number): number | undefined {
  const limit = Math.min(markdown.length, from + maxSyntaxLength)
  let depth = 0
  for (let at = from; at < limit; at += 1) {
    const character = markdown[at]
    if (character === '\\') at += 1
    else if (character === '\n') return undefined
    else if (character === '(') depth += 1
    else if (character === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function readTag(state: ParserState): void {
  const { markdown, at } = state
  const lineEnd = matchAt(lineBreak, markdown, at)
  const link = matchAt(autolink, markdown, at)
  if (lineEnd !== undefined) consume(state, lineEnd.length, ' ')
  else if (link !== undefined) consume(state, link.length, link.slice(1, -1))
  else consume(state, 1, '<')
}

function readCode(state: ParserState): void {
  const { markdown, at } = state
  const delimiter = matchAt(delimiterRun, markdown, at) ?? '`'
  const start = at + delimiter.length
  const window =
    state.failedSearches < maxFailedSearches ? markdown.slice(start, start + maxSyntaxLength) : ''
  const end = window.indexOf(delimiter)
  if (end === -1 || window[end + delimiter.length] === '`') {
    state.failedSearches += 1
    consume(state, delimiter.length, delimiter)
    return
  }
  const code = window.slice(0, end)
  consume(state, end + 2 * delimiter.length, /^ .*` $|^ `.* $/.test(code) ? code.slice(1, -1) : code)
}

/** Pairs of delimiters are removed; a single delimiter is part of the text. */
function readDelimiter(state: ParserState): void {
  const { markdown, at, pieces, openDelimiters } = state
  const delimiter = matchAt(delimiterRun, markdown, at) ?? markdown.charAt(at)
  const [before, after] = [markdown[at - 1] ?? ' ', markdown[at + delimiter.length] ?? ' ']
  const isInWord = delimiter[0] === '_' && isWord(before) && isWord(after)
  const isDelimiter = !isInWord && delimiter.length <= 3 && (delimiter[0] !== '~' || delimiter.length === 2)
  const partner =
    isDelimiter && before.trim() !== ''
      ? openDelimiters.findLastIndex((opened) => opened.delimiter === delimiter)
      : -1
  if (partner !== -1) {
    pieces[openDelimiters[partner]?.piece ?? 0] = ''
    openDelimiters.length = partner
    consume(state, delimiter.length, '')
    return
  }
  if (isDelimiter && after.trim() !== '' && openDelimiters.length < maxOpenDelimiters)
    openDelimiters.push({ delimiter, piece: pieces.length })
  consume(state, delimiter.length, delimiter)
}

const maxOpenDelimiters = 8
const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
