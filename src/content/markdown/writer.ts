import type { Node, Tree } from '../tree/tree.ts'
import type { BlockWriter } from './block-writer.ts'
import type { InlineWriter } from './inline-writer.ts'
import type { Scan } from './scan.ts'

export interface MarkdownOptions {
  /** Images with data URLs keep their alternative text and lose their URL. */
  removeBase64Images: boolean
}

/** State that the parts of the writer share while a page is written. */
export interface Writer {
  tree: Tree
  facts: Uint16Array
  options: MarkdownOptions
  output: BlockWriter
  inline: InlineWriter
  scan: Scan
  /** URL of the page, up to the fragment. */
  page: string
  /** Returns the target of a link, ready to be written; empty for a link without a usable target. */
  targetOf(href: string | undefined): string
  notes: Notes
  /** Labels of tabs, by their panels. */
  labels: ReadonlyMap<Node, Node>
  /** Number of occurrences of each image on the page; computed on first use. */
  imageCounts: ReadonlyMap<string, number> | undefined
  /** Language that the generator of the page documents; computed on first use. */
  siteLanguage: string | undefined
  /** A link around blocks that is already written on the first text inside it. */
  writtenLink: Node
  /** A link around blocks that contains a heading, on which the link is written. */
  headingLink: { heading: Node; link: Node }
  /** Number of levels by which headings are moved up, with the title. */
  headingShift: number
  /** End of the current paragraph or line. */
  runEnd: Node
  /** True while a heading is written: it is bold already, and a link to itself is useless. */
  isInHeading: boolean
  /** True while the page title is written: links to the same site usually target the page itself. */
  isInTitle: boolean
  /** Writes the children between two nodes as blocks. */
  writeBlocks(from: Node, end: Node, context: Context): void
  writeTerm(term: Node, context: Context): string
  writeCell(cell: Node, context: Context): string
}

export interface Notes {
  /** Labels, by reference nodes and by nodes with the text of a note. */
  labels: ReadonlyMap<Node, string>
  /** Texts that begin with the dot after the number of a note, which becomes its label. */
  dotted: ReadonlySet<Node>
}

/** Properties that an element inherits from its ancestors. */
export interface Context {
  marks: number
  /** The surrounding link, or `none`. */
  link: Node
  /** Number of surrounding lists and quotes; each adds a prefix to every line below it. */
  level: number
  /** True directly in a list item, where a list follows the text without an empty line. */
  isInItem: boolean
  isInDefinition: boolean
}

/** Deeper lists and quotes are written flat, because each level adds a prefix to every line. */
export const maxLevel = 16
