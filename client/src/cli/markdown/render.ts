import { safeText } from '../safe-text.ts'
import { type Block, blocksOf } from './blocks.ts'
import { inline } from './inline.ts'
import { linesOf } from './lines.ts'
import { paint } from './style.ts'
import { renderTable } from './table.ts'
import { widthOf } from './width.ts'

export interface RenderOptions {
  columns: number
  hasLinks: boolean
}

/** Longer texts are read in a pager or an editor, not in a terminal: they stay Markdown. */
const mostRendered = 1_000_000
const widest = 100

/**
 * Markdown for a terminal. Whatever the text holds, only styles of ours reach the terminal. It is our own and not a package:
 * the client has no dependency, the service writes a regular Markdown, and hostile text must take linear time.
 */
export function renderMarkdown(markdown: string, { columns, hasLinks }: RenderOptions): string {
  const safe = safeText(markdown)
  if (safe.length > mostRendered) return safe
  const width = Math.min(columns, widest)
  return `${renderBlocks(blocksOf(safe), { width, hasLinks }).join('\n')}\n`
}

interface Room {
  width: number
  hasLinks: boolean
}

function renderBlocks(blocks: readonly Block[], room: Room): string[] {
  return blocks.flatMap((block, index) => {
    const lines = renderBlock(block, room)
    return index === 0 ? lines : ['', ...lines]
  })
}

function renderBlock(block: Block, room: Room): string[] {
  switch (block.kind) {
    case 'heading':
      return renderHeading(block.level, block.text, room)
    case 'code':
      return block.lines.map((line) => `  ${paint(line, ['code'])}`)
    case 'rule':
      return [paint('─'.repeat(room.width), ['dim'])]
    case 'quote':
      return renderBlocks(block.blocks, narrower(room, 2)).map((line) => `${paint('│', ['dim'])} ${line}`)
    case 'list':
      return block.items.flatMap(({ mark, blocks }) => renderItem(mark, blocks, room))
    case 'table':
      return renderTable(block.rows, room)
    case 'paragraph':
      return linesOf(inline(block.text), room).map(({ text }) => text)
  }
}

function renderHeading(level: number, text: string, room: Room): string[] {
  const lines = linesOf(inline(text, ['heading']), room)
  if (level > 2) return lines.map((line) => line.text)
  const under = Math.max(...lines.map(({ width }) => width))
  return [...lines.map((line) => line.text), paint((level === 1 ? '━' : '─').repeat(under), ['dim'])]
}

function renderItem(mark: string, blocks: readonly Block[], room: Room): string[] {
  const sign = mark === '' ? '•' : mark
  const indent = widthOf(sign) + 1
  const lines = renderItemBlocks(blocks, narrower(room, indent))
  return (lines.length > 0 ? lines : ['']).map((line, index) =>
    index === 0 ? `${paint(sign, ['dim'])} ${line}` : line === '' ? '' : `${' '.repeat(indent)}${line}`,
  )
}

/** A list within an item stands close to its text. */
function renderItemBlocks(blocks: readonly Block[], room: Room): string[] {
  return blocks.flatMap((block, index) => {
    const lines = renderBlock(block, room)
    return index === 0 || block.kind === 'list' ? lines : ['', ...lines]
  })
}

const narrower = (room: Room, by: number): Room => ({ ...room, width: Math.max(10, room.width - by) })
