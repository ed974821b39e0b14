export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; lines: string[] }
  | { kind: 'rule' }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; items: { mark: string; blocks: Block[] }[] }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'paragraph'; text: string }

/** Deeper lists and quotes stay text: each level reads its lines once more. */
const deepest = 12

const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/
const fence = /^ {0,3}(`{3,}|~{3,})/
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const quote = /^ {0,3}> ?/
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?=\S)|\s*$)/
const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** The blocks of a text in the Markdown that the service writes. One pass over the lines per level. */
export function blocksOf(text: string): Block[] {
  return readBlocks(text.replaceAll('\t', '    ').split('\n'), 0)
}

function readBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    const { block, end } = readBlock(lines, at, depth)
    blocks.push(block)
    at = end
  }
  return blocks
}

interface Found {
  block: Block
  end: number
}

function readBlock(lines: readonly string[], at: number, depth: number): Found {
  const line = lines[at] ?? ''
  const head = heading.exec(line)
  if (head)
    return { block: { kind: 'heading', level: head[1]?.length ?? 1, text: head[2] ?? '' }, end: at + 1 }
  const mark = fence.exec(line)?.[1]
  if (mark !== undefined) return readCode(lines, at, mark)
  if (rule.test(line)) return { block: { kind: 'rule' }, end: at + 1 }
  if (depth < deepest && quote.test(line)) return readQuote(lines, at, depth)
  if (depth < deepest && item.test(line)) return readList(lines, at, depth)
  if (line.includes('|') && delimiter.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('-'))
    return readTable(lines, at)
  return readParagraph(lines, at, depth)
}

function readCode(lines: readonly string[], at: number, mark: string): Found {
  const closing = new RegExp(`^ {0,3}${mark[0] === '~' ? '~' : '`'}{${Math.min(mark.length, 1000)},}\\s*$`)
  let end = at + 1
  while (end < lines.length && !closing.test(lines[end] ?? '')) end += 1
  return { block: { kind: 'code', lines: lines.slice(at + 1, end) }, end: end + 1 }
}

function readQuote(lines: readonly string[], at: number, depth: number): Found {
  let end = at
  while (end < lines.length && quote.test(lines[end] ?? '')) end += 1
  const within = lines.slice(at, end).map((line) => line.replace(quote, ''))
  return { block: { kind: 'quote', blocks: readBlocks(within, depth + 1) }, end }
}

function readList(lines: readonly string[], at: number, depth: number): Found {
  const items: { mark: string; blocks: Block[] }[] = []
  let end = at
  let isOrdered: boolean | undefined
  while (end < lines.length) {
    const found = item.exec(lines[end] ?? '')
    const isNumber = /^\d/.test(found?.[2] ?? '')
    if (!found || (isOrdered !== undefined && isNumber !== isOrdered) || rule.test(lines[end] ?? '')) break
    isOrdered = isNumber
    const next = endOfItem(lines, end, found[0].length)
    const own = lines.slice(end, next).map((line, index) => withoutIndent(line, found[0].length, index === 0))
    items.push({ mark: isNumber ? (found[2] ?? '') : '', blocks: readBlocks(own, depth + 1) })
    end = next
    const after = firstFilled(lines, end)
    if (after > end && item.test(lines[after] ?? '')) end = after
  }
  return { block: { kind: 'list', items }, end }
}

/** An item goes on while lines are indented as its text is; a blank line alone does not end it. */
function endOfItem(lines: readonly string[], start: number, indent: number): number {
  let end = start + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (line.trim() === '') {
      const after = firstFilled(lines, end)
      if (after >= lines.length || indentOf(lines[after] ?? '') < Math.min(indent, 2)) return end
      end = after
    } else if (indentOf(line) >= Math.min(indent, 2)) end += 1
    else return end
  }
  return end
}

function firstFilled(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at += 1
  return at
}

const indentOf = (line: string) => line.length - line.trimStart().length

function withoutIndent(line: string, indent: number, isFirst: boolean): string {
  return isFirst ? line.slice(indent) : line.slice(Math.min(indentOf(line), indent))
}

function readTable(lines: readonly string[], at: number): Found {
  let end = at + 2
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1
  const rows = [lines[at] ?? '', ...lines.slice(at + 2, end)].map(cellsOf)
  return { block: { kind: 'table', rows }, end }
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function readParagraph(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1
  while (end < lines.length && goesOn(lines[end] ?? '', depth)) end += 1
  const text = lines
    .slice(at, end)
    .map((line, index, own) => {
      const trimmed = line.trim()
      if (index === own.length - 1) return trimmed
      if (trimmed.endsWith('\\')) return `${trimmed.slice(0, -1)}\n`
      return line.endsWith('  ') ? `${trimmed}\n` : `${trimmed} `
    })
    .join('')
  return { block: { kind: 'paragraph', text }, end }
}

function goesOn(line: string, depth: number): boolean {
  if (line.trim() === '' || heading.test(line) || fence.test(line) || rule.test(line)) return false
  return depth >= deepest || !(quote.test(line) || item.test(line))
}
