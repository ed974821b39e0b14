import type { PageBlock } from '../document.ts'
import type { Block } from './blocks.ts'
import { isWide, needsSpace } from './lines.ts'
import type { Line, RawPage, Run } from './shapes.ts'

/** Blocks of one page → its Markdown, and where each block stands in it. */
export function writeBlocks(blocks: Block[], page: RawPage): { markdown: string; blocks: PageBlock[] } {
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
  if (block.rows) return writeTable(block.rows)
  if (block.type === 'code') return `\`\`\`\n${block.lines.map((line) => line.text).join('\n')}\n\`\`\``
  if (block.type === 'heading') {
    const text = plain(joinLines(block.lines, lineText)).replace(/\s*#+$/, '')
    return `${'#'.repeat(block.level ?? 1)} ${text}`
  }
  const text = joinLines(block.lines, styledLine)
  if (block.type === 'list') return writeEntry(text, block.marker ?? '-')
  return guarded(text)
}

function writeEntry(text: string, marker: string): string {
  if (marker === '-') return `- ${text.replace(/^(?:\*\*)?[•‣◦▪■●○–—*·-]\s*(?:\*\*)?\s*/, '')}`
  return text
}

const lineText = (line: Line) => line.text

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
  let text = ''
  let right = Infinity
  for (const run of line.runs) {
    if (text !== '' && needsSpace(text, run, right)) text += ' '
    text += writeRun(run)
    right = run.right
  }
  return text.replace(/\s+/g, ' ').trim()
}

function writeRun(run: Run): string {
  const text = escapeText(run.text)
  if (run.link === undefined || text.trim() === '') return text
  const address = run.link.replace(/[\s()<>]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
  return `[${text.trim()}](${address})`
}

export const escapeText = (text: string) => text.replace(/[*_`[\]<]/g, '\\$&')
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A paragraph must not turn into something else by the way it begins. */
function guarded(text: string): string {
  return text.replace(/^(?:#{1,6}\s|>|\+\s|-\s|={3,}|-{3,})/, '\\$&')
}

function writeTable(rows: string[][]): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const write = (row: string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => cellText(row[at] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [write(head), `|${' --- |'.repeat(columns)}`, ...body.map(write)].join('\n')
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
