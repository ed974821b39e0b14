import type { Node, Tree } from '../../content/tree/tree.ts'

/** How much a page has shown so far, in characters of text or in pieces. */
export interface Amounts {
  /** Text of the main part outside of links. */
  prose: number
  /** Text of links in the main part. */
  linked: number
  /** Whole sentences outside of links in what seems to stand around the main part. */
  proseAround: number
  /** Pictures, films and frames in the main part. */
  media: number
  /** Fields of forms in the main part that a visitor is to fill in, other than those of a captcha. */
  fields: number
}

/** What the judge needs to know of a page. */
export interface PageFacts extends Amounts {
  tree: Tree
  /** More than enough prose: the rest of the page was not looked at. */
  isPlenty: boolean
  /** It names a generator of documentation that writes its pages out. */
  isWrittenOut: boolean
  title: string
  /** Of the first and second level. */
  headings: string[]
  /** All text around the main part: navigation, footers, dialogs and the like. */
  around: number
  /** The main text outside of links by blocks, and all text around it. */
  blocks: string[]
  blocksAround: string[]
  /** What is written on buttons and links. */
  controls: string[]
  noscript: string
  passwords: number
  /** Scripts that could write the page. */
  scripts: number
  /** Elements that scripts are to fill: `<div id="root">`, and those whose name is of the site's own, as `<app-root>`. */
  emptyRoots: number
  emptyOwnRoots: number
  emptyTables: number
  mains: number
  emptyMains: number
  /** Elements that scripts could have filled, main parts and articles, with text in them. */
  filled: number
  /** Where the page sends its visitors at once. */
  refresh: string | undefined
  /** The same for those without scripts. */
  noscriptRefresh: string | undefined
  /** Elements with attributes, and code of the scripts: what the page is made of, without what it says. */
  elements: Node[]
  /** Those inside a main part or an article. */
  mainElements: Node[]
  code: string[]
}

export function noFacts(tree: Tree): PageFacts {
  return {
    tree,
    ...{
      isPlenty: false,
      isWrittenOut: false,
      title: '',
      headings: [],
      prose: 0,
      linked: 0,
      proseAround: 0,
      around: 0,
    },
    ...{ blocks: [], blocksAround: [], controls: [], noscript: '', media: 0, fields: 0, passwords: 0 },
    ...{ scripts: 0, emptyRoots: 0, emptyOwnRoots: 0, emptyTables: 0, mains: 0, emptyMains: 0, filled: 0 },
    ...{ refresh: undefined, noscriptRefresh: undefined, elements: [], mainElements: [], code: [] },
  }
}
