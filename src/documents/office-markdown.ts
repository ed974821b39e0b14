import type { Block, Cell, Document, Inline, List, ListItem, Table } from '@firecrawl/anydoc'
import { renderMarkdownTable } from './finish.ts'

export function renderOfficeDocument(document: Document): string {
  const body = writeBlocks(document.blocks)
  const notes = document.notes.map(
    (note) => `[^${note.id}]: ${indentContinuation(writeBlocks(note.blocks), '    ')}`,
  )
  return [body, ...notes].filter((part) => part.trim() !== '').join('\n\n')
}

function writeBlocks(blocks: Block[]): string {
  let text = ''
  let previous: Block | undefined
  for (const block of blocks) {
    const written = writeBlock(block)
    if (written.trim() === '') continue
    // Markdown would merge two successive lists, so an invisible comment separates them.
    const gap = previous?.kind === 'list' && block.kind === 'list' ? '\n\n<!-- -->\n\n' : '\n\n'
    text += text === '' ? written : gap + written
    previous = block
  }
  return text
}

function writeBlock(block: Block): string {
  // The library has this enum only in its types; at run time the values are plain strings.
  const kind: string = block.kind
  if (kind === 'heading') return writeHeading(block)
  if (kind === 'paragraph') return writeParagraph(block.content ?? [])
  if (kind === 'list') return block.list ? writeList(block.list) : ''
  if (kind === 'table') return block.table ? writeTable(block.table) : ''
  if (kind === 'blockQuote') return toBlockQuote(writeBlocks(block.blocks ?? []))
  if (kind === 'codeBlock') return toCodeBlock(block.text ?? '', block.lang)
  return kind === 'rule' ? '---' : ''
}

function writeHeading(block: Block): string {
  const text = writeInlines(block.content ?? [], { isPlain: true })
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, block.level ?? 1)))} ${text}`
}

function writeParagraph(content: Inline[]): string {
  const text = writeInlines(content).trim()
  const taskText = withTaskBox(text)
  if (taskText !== text) return taskText
  return text
    .replace(/^(#{1,6}\s|>|[+-]\s|(?:\d+)(?=[.)]\s))/, (start) => (/^\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])(?=\s)/, '$1\\$2')
}

function withTaskBox(text: string): string {
  const box = /^([☐☑☒])\s*/.exec(text)
  return box ? `- [${box[1] === '☐' ? ' ' : 'x'}] ${text.slice(box[0].length)}` : text
}

function writeInlines(inlines: Inline[], style: { isPlain?: boolean } = {}): string {
  return mergeTexts(inlines)
    .map((inline) => writeInline(inline, style.isPlain ?? false))
    .join('')
}

function mergeTexts(inlines: Inline[]): Inline[] {
  const result: Inline[] = []
  for (const inline of inlines) {
    const last = result.at(-1)
    const isSame =
      last?.kind === 'text' && inline.kind === 'text' && getStyleKey(last) === getStyleKey(inline)
    if (last && isSame) result[result.length - 1] = { ...last, text: (last.text ?? '') + (inline.text ?? '') }
    else result.push(inline)
  }
  return result
}

const getStyleKey = ({ style }: Inline) => `${style?.bold} ${style?.italic} ${style?.strike} ${style?.code}`

function writeInline(inline: Inline, isPlain: boolean): string {
  const kind: string = inline.kind
  if (kind === 'text') return writeText(inline, isPlain)
  if (kind === 'lineBreak') return isPlain ? ' ' : '  \n'
  if (kind === 'noteRef') return `[^${inline.noteId}]`
  if (kind === 'image') return writeImage(inline)
  if (kind !== 'link') return ''
  const text = writeInlines(inline.content ?? [], { isPlain }).trim()
  const target = inline.target
  if (!target || text === '') return text
  const kindOfTarget: string = target.kind
  return `[${text}](${encodeUrl(kindOfTarget === 'anchor' ? `#${target.value}` : target.value)})`
}

function writeText({ text = '', style }: Inline, isPlain: boolean): string {
  const core = text.trim()
  if (core === '') return text
  const lead = text.slice(0, text.length - text.trimStart().length)
  const tail = text.slice(text.trimEnd().length)
  if (style?.code && !isPlain) return `${lead}\`${core.replace(/`/g, "'")}\`${tail}`
  const escaped = escapeText(core)
  if (isPlain) return lead + escaped + tail
  const opening = `${style?.bold ? '**' : ''}${style?.italic ? '*' : ''}${style?.strike ? '~~' : ''}`
  const closing = `${style?.strike ? '~~' : ''}${style?.italic ? '*' : ''}${style?.bold ? '**' : ''}`
  return lead + opening + escaped + closing + tail
}

/** An embedded image has no URL, so its alternative text is written unless that is a file name. */
function writeImage({ alt = '', source }: Inline): string {
  const text = alt.replace(/\s+/g, ' ').trim()
  const kind: string = source?.kind ?? ''
  if (kind === 'external' && source?.url) return `![${escapeText(text)}](${encodeUrl(source.url)})`
  return /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i.test(text) ? '' : escapeText(text)
}

const isBulleted = ({ marker }: { marker: string }) => marker === 'bullet'

function writeList(list: List): string {
  const isBullet = isBulleted(list)
  const isLoose = list.items.some((item) => item.blocks.length > 1 && item.blocks[1]?.kind !== 'list')
  return list.items
    .map((item, at) => writeItem(item, isBullet || getLabel(item) ? '-' : `${list.start + at}.`))
    .join(isLoose ? '\n\n' : '\n')
}

/** Returns a label that Markdown cannot number by itself, such as "2.1.b"; empty for other items. */
function getLabel({ markerLabel = '' }: ListItem): string {
  return markerLabel === '' || /^\(?\d{1,4}[.)]?$/.test(markerLabel) ? '' : `${escapeText(markerLabel)} `
}

function writeItem(item: ListItem, marker: string): string {
  const box = item.checked === undefined ? '' : item.checked ? '[x] ' : '[ ] '
  const label = getLabel(item)
  const indent = ' '.repeat(marker.length + 1)
  const parts = item.blocks.map(writeBlock).filter((part) => part.trim() !== '')
  const isTight = item.blocks.every((block, at) => at === 0 || block.kind === 'list')
  return `${marker} ${box}${label}${indentContinuation(parts.join(isTight ? '\n' : '\n\n'), indent)}`
}

const indentContinuation = (text: string, indent: string) => text.replace(/\n(?=[^\n])/g, `\n${indent}`)

const toBlockQuote = (text: string) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')

function toCodeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(
    Math.max(3, ...[...text.matchAll(/`+/g)].map(([backticks]) => backticks.length + 1)),
  )
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function writeTable(table: Table): string {
  const rows = table.grid.map((row) => row.map((slot) => (slot.cell ? writeCell(slot.cell) : '')))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const width = Math.max(0, ...filled.map((row) => row.length))
  const usedColumns = Array.from({ length: width }, (_, at) => at).filter((at) =>
    filled.some((row) => row[at]),
  )
  if (usedColumns.length === 0) return ''
  if (usedColumns.length === 1 && filled.length === 1)
    return writeBlocks(listCells(table).flatMap((cell) => cell.blocks))
  const visibleRows = filled.map((row) => usedColumns.map((at) => row[at] ?? ''))
  return renderMarkdownTable(visibleRows, (cell) => cell)
}

const listCells = (table: Table): Cell[] =>
  table.grid.flatMap((row) => row.flatMap((slot) => slot.cell ?? []))

function writeCell(cell: Cell): string {
  return cell.blocks
    .map((block) => cellText(block))
    .filter((text) => text !== '')
    .join('<br>')
}

function cellText(block: Block): string {
  const kind: string = block.kind
  if (kind === 'table' && block.table) return listCells(block.table).map(writeCell).filter(Boolean).join(' ')
  if (kind === 'list' && block.list) return listInCell(block.list)
  if (kind === 'heading' || kind === 'paragraph')
    return toCellText(withTaskBox(writeInlines(block.content ?? []).trim()))
  return toCellText(writeBlock(block))
}

function listInCell(list: List): string {
  const isBullet = isBulleted(list)
  return list.items
    .map((item, at) => `${isBullet ? '-' : `${list.start + at}.`} ${item.blocks.map(cellText).join(' ')}`)
    .join('<br>')
}

const toCellText = (text: string) =>
  text
    .replace(/(?<!\\)\|/g, '\\|')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')

export const escapeText = (text: string) => text.replace(/[\\`*_[\]<]/g, '\\$&')
const encodeUrl = (url: string) =>
  url.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
