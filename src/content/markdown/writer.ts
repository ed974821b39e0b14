import type { Node, Tree } from '../tree/tree.ts'
import type { BlockWriter } from './block-writer.ts'
import type { Notes } from './footnotes.ts'
import type { InlineWriter } from './inline-writer.ts'
import type { Scan } from './scan.ts'

export interface MarkdownOptions {
  /** Images that carry their own bytes keep their alternative text and lose their address. */
  removeBase64Images: boolean
}

/** All that the parts of the writer share while a page is written. */
export interface Writer {
  tree: Tree
  facts: Uint16Array
  options: MarkdownOptions
  output: BlockWriter
  inline: InlineWriter
  scan: Scan
  /** The address of the page, up to where the name of a place on it begins. */
  page: string
  /** Where a link leads, ready to be written; nothing for one that leads nowhere. */
  targetOf(href: string | undefined): string
  notes: Notes
  /** The labels of tabs, by the panels they open. */
  labels: ReadonlyMap<Node, Node>
  /** How often each image stands on the page, once that was asked. */
  imageTimes: ReadonlyMap<string, number> | undefined
  /** The language that the generator of the page documents, once that was asked. */
  siteLanguage: string | undefined
  /** A link around blocks that its first text has carried. */
  spentLink: Node
  /** A link around blocks that has a heading, which is to carry it. */
  headingLink: { heading: Node; link: Node }
  /** By how many levels headings are moved up, as the title was. */
  headingLift: number
  /** The end of the paragraph or line that is being written. */
  runEnd: Node
  /** What is written is a heading: it is bold already, and a link to its own place says nothing. */
  isInHeading: boolean
  /** What is written is the title of the page: a link to its own site leads to the page itself, by this name or another. */
  isInTitle: boolean
  /** Writes the children between two nodes as blocks. */
  blocks(from: Node, end: Node, context: Context): void
}

/** What an element inherits from its ancestors. */
export interface Context {
  marks: number
  /** The link around, or `none`. */
  link: Node
  /** Lists and quotes around; each costs every line below it a prefix. */
  level: number
  /** Directly in a list item, where a list follows the text closely. */
  isInItem: boolean
  isInDefinition: boolean
}

/** The marks and the link around a piece of inline content. */
export interface SurroundingText {
  marks: number
  link: Node
  target: string
  /** Inside a link with uneven brackets every bracket is escaped. */
  escapesBrackets: boolean
}

/** Deeper lists and quotes are written flat: every level prefixes each line below it. */
export const maxLevel = 16
