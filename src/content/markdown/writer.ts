import type { ChildNode } from 'domhandler'
import type { Marks } from './pieces.ts'
import type { Layout } from './tags.ts'

/** A finished block of Markdown: a paragraph, a heading, a whole list. */
export interface Block {
  text: string
  isList: boolean
}

/** What an element inherits from those around it. */
export interface Context {
  marks: Marks
  /** Lists and quotes around; each costs every line below it a prefix. */
  level: number
}

/** What the writers of lists and tables need from the writer of blocks. */
export interface Writer {
  layout: Layout
  blocks(nodes: readonly ChildNode[], context: Context): Block[]
  /** The nodes on one line. */
  line(nodes: readonly ChildNode[], context: Context): string
  /** The nodes in a table cell, where a line break is a tag. */
  cell(nodes: readonly ChildNode[], context: Context): string
}

/**
 * Blocks one below the other. Inside a list item a list follows its paragraph closely, unless its number
 * would make it a part of that paragraph.
 */
export function joinBlocks(blocks: readonly Block[], isTight = false): string {
  const parts: string[] = []
  for (const [index, block] of blocks.entries()) {
    if (index > 0) parts.push(isTight && block.isList && /^(?:-|1\.) /.test(block.text) ? '\n' : '\n\n')
    parts.push(block.text)
  }
  return parts.join('')
}

/** All lines but the first moved right, so that they stay inside their item. */
export function indented(text: string, indent: string): string {
  return text.replace(/\n(?!\n|$)/g, `\n${indent}`)
}
