import type { Node, Tree } from './tree/tree.ts'

/** The part of a page that is to be written, as HTML or as Markdown. */
export interface Excerpt {
  tree: Tree
  /** Whole subtrees, in document order, none inside another. */
  kept: readonly Node[]
  /** 1 for a node that is left out with all below it. */
  skipped: Uint8Array
  /** A heading that is to stand before everything else, once, or `none`; it may be in what is left out. */
  title: Node
  /** The page says its text in noscript only, for readers without scripts; so that is read. */
  readsNoscript: boolean
  /** The address that relative addresses start from. */
  base: string
}
