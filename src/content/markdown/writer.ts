import type { Node, Tree } from '../tree/tree.ts'
import type { BlockWriter } from './block-writer.ts'
import type { InlineWriter } from './inline-writer.ts'
import type { Scan } from './scan.ts'

export interface MarkdownOptions {
  removeBase64Images: boolean
}

export interface Writer {
  tree: Tree
  facts: Uint16Array
  options: MarkdownOptions
  output: BlockWriter
  inline: InlineWriter
  scan: Scan
  page: string
  /** Returns the target of a link, ready to be written; empty for a link without a usable target. */
  targetOf(href: string | undefined): string
  notes: Notes
  labels: ReadonlyMap<Node, Node>
  imageCounts: ReadonlyMap<string, number> | undefined
  siteLanguage: string | undefined
  writtenLink: Node
  headingLink: { heading: Node; link: Node }
  headingShift: number
  runEnd: Node
  /** True while a heading is written: it is bold already, and a link to itself is useless. */
  isInHeading: boolean
  /** True while the page title is written: links to the same site usually target the page itself. */
  isInTitle: boolean
  writeBlocks(from: Node, end: Node, context: Context): void
  writeTerm(term: Node, context: Context): string
  writeCell(cell: Node, context: Context): string
}

export interface Notes {
  labels: ReadonlyMap<Node, string>
  /** Texts that begin with the dot after the number of a note. The number alone becomes the label. */
  dotted: ReadonlySet<Node>
}

export interface Context {
  marks: number
  link: Node
  /** Number of surrounding lists and quotes; each adds a prefix to every line below it. */
  level: number
  isInItem: boolean
  isInDefinition: boolean
}

/** Deeper lists and quotes are written flat, because each level adds a prefix to every line. */
export const maxLevel = 16
