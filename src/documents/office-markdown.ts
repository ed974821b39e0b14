import type { Block, Cell, Document, Inline, List, ListItem, Table } from '@firecrawl/anydoc'
import { markdownTable } from './finish.ts'

/** The model of an office file → Markdown. */
export function officeMarkdown(document: Document): string {
  const body = writeBlocks(document.blocks)
  const notes = document.notes.map((note) => `[^${note.id}]: ${indented(writeBlocks(note.blocks), '    ')}`)
  return [body, ...notes].filter((part) => part.trim() !== '').join('\n\n')
}

function writeBlocks(blocks: Block[]): string {
  let text = ''
  let before: Block | undefined
  for (const block of blocks) {
    const written = writeBlock(block)
    if (written.trim() === '') continue
    // Two successive lists would merge; an invisible comment separates them.
    const gap = before?.kind === 'list' && block.kind === 'list' ? '\n\n<!-- -->\n\n' : '\n\n'
    text += text === '' ? written : gap + written
    before = block
  }
  return text
}

function writeBlock(block: Block): string {
  // The library has no enum at run time, only its type: the values are plain names.
  const kind: string = block.kind
  if (kind === 'heading') return writeHeading(block)
  if (kind === 'paragraph') return writeParagraph(block.content ?? [])
  if (kind === 'list') return block.list ? writeList(block.list) : ''
  if (kind === 'table') return block.table ? writeTable(block.table) : ''
  if (kind === 'blockQuote') return quoted(writeBlocks(block.blocks ?? []))
  if (kind === 'codeBlock') return fenced(block.text ?? '', block.lang)
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
  const ticked = withTicks(text)
  if (ticked !== text) return ticked
  // The beginning of a paragraph must not be read as other Markdown syntax.
  return text
    .replace(/^(#{1,6}\s|>|[+-]\s|(?:\d+)(?=[.)]\s))/, (start) => (/^\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])(?=\s)/, '$1\\$2')
}

/** Boxes that are drawn as letters become the boxes of a list of tasks. */
function withTicks(text: string): string {
  const box = /^([☐☑☒])\s*/.exec(text)
  return box ? `- [${box[1] === '☐' ? ' ' : 'x'}] ${text.slice(box[0].length)}` : text
}

interface InlineStyle {
  /** Without marks for bold and italic, which say nothing inside a heading. */
  isPlain?: boolean
}

function writeInlines(inlines: Inline[], style: InlineStyle = {}): string {
  return merged(inlines)
    .map((inline) => writeInline(inline, style))
    .join('')
}

/** Neighbouring texts of one style are one text: marks between them would only be noise. */
function merged(inlines: Inline[]): Inline[] {
  const found: Inline[] = []
  for (const inline of inlines) {
    const last = found.at(-1)
    const isSame = last?.kind === 'text' && inline.kind === 'text' && styleKey(last) === styleKey(inline)
    if (last && isSame) found[found.length - 1] = { ...last, text: (last.text ?? '') + (inline.text ?? '') }
    else found.push(inline)
  }
  return found
}

const styleKey = ({ style }: Inline) => `${style?.bold} ${style?.italic} ${style?.strike} ${style?.code}`

function writeInline(inline: Inline, style: InlineStyle): string {
  const kind: string = inline.kind
  if (kind === 'text') return writeText(inline, style)
  if (kind === 'lineBreak') return style.isPlain ? ' ' : '  \n'
  if (kind === 'noteRef') return `[^${inline.noteId}]`
  if (kind === 'image') return writeImage(inline)
  if (kind !== 'link') return ''
  const text = writeInlines(inline.content ?? [], style).trim()
  const target = inline.target
  if (!target || text === '') return text
  const kindOfTarget: string = target.kind
  return `[${text}](${address(kindOfTarget === 'anchor' ? `#${target.value}` : target.value)})`
}

function writeText({ text = '', style }: Inline, { isPlain }: InlineStyle): string {
  const core = text.trim()
  if (core === '') return text
  const lead = text.slice(0, text.length - text.trimStart().length)
  const tail = text.slice(text.trimEnd().length)
  if (style?.code && !isPlain) return `${lead}\`${core.replace(/`/g, "'")}\`${tail}`
  const escaped = escapeText(core)
  if (isPlain) return lead + escaped + tail
  const marks = `${style?.bold ? '**' : ''}${style?.italic ? '*' : ''}${style?.strike ? '~~' : ''}`
  const closing = `${style?.strike ? '~~' : ''}${style?.italic ? '*' : ''}${style?.bold ? '**' : ''}`
  return lead + marks + escaped + closing + tail
}

/** An embedded image has no URL; its alternative text is written, unless that is only a file name. */
function writeImage({ alt = '', source }: Inline): string {
  const text = alt.replace(/\s+/g, ' ').trim()
  const kind: string = source?.kind ?? ''
  if (kind === 'external' && source?.url) return `![${escapeText(text)}](${address(source.url)})`
  return /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i.test(text) ? '' : escapeText(text)
}

/** The library has no enum at run time: the value is a plain name, whatever its type says. */
const isBulleted = ({ marker }: { marker: string }) => marker === 'bullet'

function writeList(list: List): string {
  const isBullet = isBulleted(list)
  const isLoose = list.items.some((item) => item.blocks.length > 1 && item.blocks[1]?.kind !== 'list')
  return list.items
    .map((item, at) => writeItem(item, isBullet || labelOf(item) ? '-' : `${list.start + at}.`))
    .join(isLoose ? '\n\n' : '\n')
}

/** A label that says more than a number: "2.1.b" and the like. */
function labelOf({ markerLabel = '' }: ListItem): string {
  return markerLabel === '' || /^\(?\d{1,4}[.)]?$/.test(markerLabel) ? '' : `${escapeText(markerLabel)} `
}

function writeItem(item: ListItem, marker: string): string {
  const box = item.checked === undefined ? '' : item.checked ? '[x] ' : '[ ] '
  // Numbers that Markdown cannot count to stand as they are.
  const label = labelOf(item)
  const indent = ' '.repeat(marker.length + 1)
  const parts = item.blocks.map(writeBlock).filter((part) => part.trim() !== '')
  const isTight = item.blocks.every((block, at) => at === 0 || block.kind === 'list')
  return `${marker} ${box}${label}${indented(parts.join(isTight ? '\n' : '\n\n'), indent)}`
}

/** Lines after the first, moved in, so that they belong to what the first began. */
function indented(text: string, indent: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${indent}`)
}

const quoted = (text: string) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')

function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

/** Empty rows and columns are removed; the first row is the header, because Markdown requires one. */
function writeTable(table: Table): string {
  const rows = table.grid.map((row) => row.map((slot) => (slot.cell ? writeCell(slot.cell) : '')))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const width = Math.max(0, ...filled.map((row) => row.length))
  const used = Array.from({ length: width }, (_, at) => at).filter((at) => filled.some((row) => row[at]))
  if (used.length === 0) return ''
  // A table that only places its one cell is no table.
  if (used.length === 1 && filled.length === 1)
    return writeBlocks(cellsOf(table).flatMap((cell) => cell.blocks))
  const shown = filled.map((row) => used.map((at) => row[at] ?? ''))
  return markdownTable(shown, (cell) => cell)
}

const cellsOf = (table: Table): Cell[] => table.grid.flatMap((row) => row.flatMap((slot) => slot.cell ?? []))

function writeCell(cell: Cell): string {
  return cell.blocks
    .map((block) => cellText(block))
    .filter((text) => text !== '')
    .join('<br>')
}

function cellText(block: Block): string {
  const kind: string = block.kind
  if (kind === 'table' && block.table) return cellsOf(block.table).map(writeCell).filter(Boolean).join(' ')
  if (kind === 'list' && block.list) return listInCell(block.list)
  if (kind === 'heading' || kind === 'paragraph')
    return inCell(withTicks(writeInlines(block.content ?? []).trim()))
  return inCell(writeBlock(block))
}

function listInCell(list: List): string {
  const isBullet = isBulleted(list)
  return list.items
    .map((item, at) => `${isBullet ? '-' : `${list.start + at}.`} ${item.blocks.map(cellText).join(' ')}`)
    .join('<br>')
}

const inCell = (text: string) =>
  text
    .replace(/(?<!\\)\|/g, '\\|')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')

const escapeText = (text: string) => text.replace(/[\\`*_[\]<]/g, '\\$&')
const address = (url: string) =>
  url.replace(/[\s<>]/g, encodeURIComponent).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
