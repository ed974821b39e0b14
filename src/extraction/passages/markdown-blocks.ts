import { type SentenceLanguage, splitSentences } from '../text/split-sentences.ts'
import { inlineText } from './inline-text.ts'

/** A piece of a page that is read as one: a paragraph, an item of a list, a row of a table, a heading. */
export interface TextBlock {
  kind: BlockKind
  /** Its text; ends of lines are where the page breaks them on purpose. */
  text: string
  /** The texts of the headings above it, the outermost first. */
  path: readonly string[]
}

export type BlockKind = 'paragraph' | 'item' | 'row' | 'heading'

const quote = /^(?:>[ \t]?)+/
const fence = /^(`{3,}|~{3,})/
const heading = /^(#{1,6})[ \t]+(.*)$/
const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const rule = /^(?:-[ \t-]*-|_[ \t_]*_|\*[ \t*]*\*|=+)$/
const callout = /^\[![A-Z]+\]$/
const footnote = /^\[\^[^\]\s]{1,100}\]:[ \t]*/
const definition = /^:[ \t]+/
const tableRow = /^\|.*\|$/
const tableLine = /^\|[ \t:|-]+\|$/

/** The Markdown of a page → its blocks in order. Code and formulas on lines of their own are no text. */
export function textBlocks(markdown: string): TextBlock[] {
  const reader: Reader = {
    ...{ blocks: [], path: [], levels: [], lines: [], kind: 'paragraph' },
    ...{ term: '', columns: undefined, fence: undefined, depth: 0 },
  }
  for (let from = 0; from <= markdown.length; ) {
    const end = markdown.indexOf('\n', from)
    const to = end === -1 ? markdown.length : end
    reader.depth = 0
    readLine(reader, markdown.slice(from, to))
    from = to + 1
  }
  flush(reader)
  return reader.blocks
}

interface Reader {
  blocks: TextBlock[]
  path: readonly string[]
  levels: number[]
  /** The lines of the block that is being read. */
  lines: string[]
  kind: BlockKind
  /** The term that the next definitions belong to. */
  term: string
  /** The names of the columns of the table that is being read. */
  columns: string[] | undefined
  /** What ends the code that is being read. */
  fence: string | undefined
  /** How many items begin on this line. */
  depth: number
}

/** More items than this do not begin on one line. */
const maxDepth = 8

function readLine(reader: Reader, whole: string): void {
  const line = whole.trimStart().replace(quote, '')
  const bare = line.trim()
  if (reader.fence !== undefined) {
    if (bare.startsWith(reader.fence) && bare.replaceAll(reader.fence[0] ?? '', '') === '')
      reader.fence = undefined
    return
  }
  const opened = fence.exec(bare)?.[1] ?? (bare === '$$' ? '$$' : undefined)
  if (opened !== undefined) {
    flush(reader)
    reader.fence = opened
  } else if (bare === '' || rule.test(bare) || callout.test(bare)) endBlock(reader, bare)
  else if (tableRow.test(bare)) readRow(reader, bare)
  else readText(reader, line.trimStart(), bare)
}

function endBlock(reader: Reader, bare: string): void {
  flush(reader)
  reader.columns = undefined
  if (bare !== '') reader.term = ''
}

function readText(reader: Reader, line: string, bare: string): void {
  const [, marks, title] = heading.exec(bare) ?? []
  const [start = ''] = item.exec(line) ?? footnote.exec(line) ?? []
  if (marks !== undefined) readHeading(reader, marks.length, title ?? '')
  else if (start !== '' && reader.depth < maxDepth)
    begin(reader, item.test(line) ? 'item' : 'paragraph', line.slice(start.length))
  else if (definition.test(line)) readDefinition(reader, line.replace(definition, ''))
  else reader.lines.push(line)
}

function begin(reader: Reader, kind: BlockKind, text: string): void {
  flush(reader)
  reader.term = ''
  reader.kind = kind
  reader.depth += 1
  // What stands in an item may begin something itself.
  readLine(reader, text)
}

function readHeading(reader: Reader, level: number, title: string): void {
  flush(reader)
  reader.term = ''
  const text = spaced(inlineText(title))
  if (text === '') return
  const above = reader.levels.findIndex((other) => other >= level)
  const kept = above === -1 ? reader.levels.length : above
  reader.blocks.push({ kind: 'heading', text, path: reader.path.slice(0, kept) })
  reader.path = [...reader.path.slice(0, kept), text]
  reader.levels = [...reader.levels.slice(0, kept), level]
}

/** The line before the first definition is the term; further definitions share it. */
function readDefinition(reader: Reader, text: string): void {
  if (reader.kind === 'row') flush(reader)
  else if (reader.lines.length > 0) {
    reader.term = spaced(inlineText(reader.lines.join(' ')))
    reader.lines = []
  }
  reader.kind = 'row'
  reader.lines = [reader.term === '' ? text : `${reader.term}: ${text}`]
}

function readRow(reader: Reader, bare: string): void {
  flush(reader)
  reader.term = ''
  if (tableLine.test(bare) && bare.includes('-')) return
  const cells = cellsOf(bare)
  if (!reader.columns) {
    reader.columns = cells
    return
  }
  const { columns } = reader
  const named = cells.flatMap((cell, column) => {
    const name = columns[column] ?? ''
    return cell === '' ? [] : [name === '' || column === 0 ? cell : `${name}: ${cell}`]
  })
  if (named.length > 0) reader.blocks.push({ kind: 'row', text: named.join('; '), path: reader.path })
}

function cellsOf(row: string): string[] {
  const cells = row.slice(1, -1).split(/(?<!\\)\|/)
  return cells.map((cell) => spaced(inlineText(cell.replaceAll('\\|', '|'))))
}

function flush(reader: Reader): void {
  const { lines, kind } = reader
  reader.lines = []
  reader.kind = 'paragraph'
  if (lines.length === 0) return
  // Two spaces at the end of a line break it on purpose; other ends are where the text was wrapped.
  const joined = lines
    .map((line) => (line.endsWith('  ') ? `${line.trimEnd()}\n` : `${line.trimEnd()} `))
    .join('')
  const text = inlineText(joined)
    .split('\n')
    .map(spaced)
    .filter((line) => line !== '')
    .join('\n')
  if (text !== '') reader.blocks.push({ kind, text, path: reader.path })
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A sentence of a page as it stands there, or the whole text of a block that has none. */
export interface Sentence {
  text: string
  kind: BlockKind
  /** The texts of the headings above it, the outermost first. */
  path: readonly string[]
  /** Which block of the page it stands in. */
  block: number
}

export interface PageSentences {
  sentences: Sentence[]
  /** Whether the page has more text than is read. */
  isCut: boolean
}

/** What stands behind is not read: no reader looks for a sentence in a library. */
const maxTextLength = 2_000_000
export const maxSentences = 20_000
/** A row or a definition is one unit of meaning, unless it is long. */
const longestRow = 300

/** The Markdown of a page → its sentences in order. */
export function pageSentences(markdown: string, language: SentenceLanguage): PageSentences {
  const sentences: Sentence[] = []
  let isCut = markdown.length > maxTextLength
  for (const [block, { kind, text, path }] of textBlocks(markdown.slice(0, maxTextLength)).entries()) {
    if (sentences.length >= maxSentences) {
      isCut = true
      break
    }
    const isWhole = kind === 'heading' || (kind === 'row' && text.length <= longestRow)
    const texts = isWhole ? [text.replaceAll('\n', ' ')] : splitSentences(text, language)
    for (const one of texts) if (isText(one)) sentences.push({ text: one, kind, path, block })
  }
  return { sentences: sentences.slice(0, maxSentences), isCut: isCut || sentences.length > maxSentences }
}

/** Something without a letter or a digit says nothing. */
const isText = (text: string) => /[\p{L}\p{N}]/u.test(text)
