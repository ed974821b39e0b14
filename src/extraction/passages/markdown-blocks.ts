import { type SentenceLanguage, splitSentences } from '../text/split-sentences.ts'
import { inlineText } from './inline-text.ts'

export interface TextBlock {
  kind: BlockKind
  text: string
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

/** Code blocks and display formulas are omitted. */
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
  lines: string[]
  kind: BlockKind
  /** The next definitions belong to it. */
  term: string
  columns: string[] | undefined
  fence: string | undefined
  /** Items that begin on the current line. */
  depth: number
}

const maxDepth = 8

function readLine(reader: Reader, rawLine: string): void {
  const line = rawLine.trimStart().replace(quote, '')
  const trimmed = line.trim()
  if (reader.fence !== undefined) {
    if (trimmed.startsWith(reader.fence) && trimmed.replaceAll(reader.fence[0] ?? '', '') === '')
      reader.fence = undefined
    return
  }
  const opened = fence.exec(trimmed)?.[1] ?? (trimmed === '$$' ? '$$' : undefined)
  if (opened !== undefined) {
    flush(reader)
    reader.fence = opened
  } else if (trimmed === '' || rule.test(trimmed) || callout.test(trimmed)) {
    flush(reader)
    reader.columns = undefined
    if (trimmed !== '') reader.term = ''
  } else if (tableRow.test(trimmed)) readRow(reader, trimmed)
  else readText(reader, line.trimStart(), trimmed)
}

function readText(reader: Reader, line: string, trimmed: string): void {
  const [, hashes, title] = heading.exec(trimmed) ?? []
  const [start = ''] = item.exec(line) ?? footnote.exec(line) ?? []
  if (hashes !== undefined) readHeading(reader, hashes.length, title ?? '')
  else if (start !== '' && reader.depth < maxDepth)
    beginBlock(reader, item.test(line) ? 'item' : 'paragraph', line.slice(start.length))
  else if (definition.test(line)) readDefinition(reader, line.replace(definition, ''))
  else reader.lines.push(line)
}

function beginBlock(reader: Reader, kind: BlockKind, text: string): void {
  flush(reader)
  reader.term = ''
  reader.kind = kind
  reader.depth += 1
  // The content of an item may begin another block.
  readLine(reader, text)
}

function readHeading(reader: Reader, level: number, title: string): void {
  flush(reader)
  reader.term = ''
  const text = collapseSpaces(inlineText(title))
  if (text === '') return
  const levelIndex = reader.levels.findIndex((other) => other >= level)
  const pathLength = levelIndex === -1 ? reader.levels.length : levelIndex
  reader.blocks.push({ kind: 'heading', text, path: reader.path.slice(0, pathLength) })
  reader.path = [...reader.path.slice(0, pathLength), text]
  reader.levels = [...reader.levels.slice(0, pathLength), level]
}

/** The line before the first definition is the term; further definitions share it. */
function readDefinition(reader: Reader, text: string): void {
  if (reader.kind === 'row') flush(reader)
  else if (reader.lines.length > 0) {
    reader.term = collapseSpaces(inlineText(reader.lines.join(' ')))
    reader.lines = []
  }
  reader.kind = 'row'
  reader.lines = [reader.term === '' ? text : `${reader.term}: ${text}`]
}

function readRow(reader: Reader, trimmed: string): void {
  flush(reader)
  reader.term = ''
  if (tableLine.test(trimmed) && trimmed.includes('-')) return
  const cells = splitCells(trimmed)
  if (!reader.columns) {
    reader.columns = cells
    return
  }
  const { columns } = reader
  const cellTexts = cells.flatMap((cell, column) => {
    const name = columns[column] ?? ''
    return cell === '' ? [] : [name === '' || column === 0 ? cell : `${name}: ${cell}`]
  })
  if (cellTexts.length > 0) reader.blocks.push({ kind: 'row', text: cellTexts.join('; '), path: reader.path })
}

function splitCells(row: string): string[] {
  const cells = row.slice(1, -1).split(/(?<!\\)\|/)
  return cells.map((cell) => collapseSpaces(inlineText(cell.replaceAll('\\|', '|'))))
}

function flush(reader: Reader): void {
  const { lines, kind } = reader
  reader.lines = []
  reader.kind = 'paragraph'
  if (lines.length === 0) return
  // Two spaces at the end of a line are an explicit line break. Other line ends are spaces.
  const joined = lines
    .map((line) => (line.endsWith('  ') ? `${line.trimEnd()}\n` : `${line.trimEnd()} `))
    .join('')
  const text = inlineText(joined)
    .split('\n')
    .map(collapseSpaces)
    .filter((line) => line !== '')
    .join('\n')
  if (text !== '') reader.blocks.push({ kind, text, path: reader.path })
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()

export interface Sentence extends TextBlock {
  block: number
}

export interface PageSentences {
  sentences: Sentence[]
  isCut: boolean
}

const maxTextLength = 2_000_000
export const maxSentences = 20_000
const maxRowLength = 300

export function pageSentences(markdown: string, language: SentenceLanguage): PageSentences {
  const sentences: Sentence[] = []
  let isCut = markdown.length > maxTextLength
  for (const [block, { kind, text, path }] of textBlocks(markdown.slice(0, maxTextLength)).entries()) {
    if (sentences.length >= maxSentences) {
      isCut = true
      break
    }
    const isOneSentence = kind === 'heading' || (kind === 'row' && text.length <= maxRowLength)
    const texts = isOneSentence ? [text.replaceAll('\n', ' ')] : splitSentences(text, language)
    for (const sentence of texts) if (isText(sentence)) sentences.push({ text: sentence, kind, path, block })
  }
  return { sentences: sentences.slice(0, maxSentences), isCut: isCut || sentences.length > maxSentences }
}

const isText = (text: string) => /[\p{L}\p{N}]/u.test(text)
