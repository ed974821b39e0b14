import { bounds } from '../platform/bounds.ts'
import { AppError } from '../platform/errors.ts'
import { hiddenParts } from './hidden.ts'
import { iframeContent } from './iframe-marker.ts'
import type { MainContentMode } from './main-content/block-selection.ts'
import { type Cleaned, cleanContent } from './main-content/clean-content.ts'
import { type Decision, type MainContent, mainContent } from './main-content/main-content.ts'
import type { PageSource } from './main-content/page-analysis.ts'
import type { SiteBlocks } from './main-content/site-blocks.ts'
import { narrowest } from './main-content/trim-wrappers.ts'
import { select } from './select.ts'
import { tag, tagSet } from './tree/names.ts'
import { endOf, findAround, type Node, none, root, type Tree, tagOf, textAt } from './tree/tree.ts'

export interface PartOptions {
  onlyMainContent: boolean
  mainContentMode?: MainContentMode | undefined
  /** What is left of the page is searched once more, with a stricter measure, for what is not content. */
  onlyCleanContent?: boolean
  includeTags: string[]
  excludeTags: string[]
  /** Ads and cookie dialogs are left out. */
  blocksAds?: boolean
  /** In a crawl: the texts of its pages so far. A text on most of them is not main content. */
  site?: SiteBlocks | undefined
}

/** The wanted parts, and why others are not among them. */
export interface SelectedContent extends Excerpt {
  /** 1 for a node that is left out with all below it, by reason. */
  marks: { hidden: Uint8Array | undefined; blocked: Uint8Array; excluded: Uint8Array }
  /** How the main content was found; undefined where it was not looked for. */
  decision: Decision | undefined
}

/**
 * What the caller asked to see. Tags named by the caller are taken as they are, without a search for the main
 * part.
 */
export function selectContent(
  page: ParsedPage,
  options: PartOptions,
  warnings: Set<string>,
): SelectedContent {
  const { tree, base, blocked } = page
  const { hidden, ...chosen } = chosenParts(page, options, warnings)
  const { skipped, title } = chosen
  const excluded = blocked.slice()
  mark(excluded, tree, { option: 'excludeTags', selectors: options.excludeTags, warnings })
  addMarks(skipped, excluded)
  const shownTitle = findAround(tree, title, (at) => excluded[at] === 1) === none ? title : none
  return { ...chosen, tree, title: shownTitle, base, marks: { hidden, blocked, excluded } }
}

function addMarks(marks: Uint8Array, others: Uint8Array): void {
  for (let node = 0; node < marks.length; node += 1) if (others[node] === 1) marks[node] = 1
}

interface ParsedPage {
  tree: Tree
  /** 1 for a node that is removed with its descendants, whatever else is requested. */
  blocked: Uint8Array
  url: string
  base: string
}

type Parts = Pick<Excerpt, 'kept' | 'skipped' | 'title' | 'readsNoscript'> & {
  hidden: Uint8Array | undefined
  decision: Decision | undefined
}

function chosenParts(page: ParsedPage, options: PartOptions, warnings: Set<string>): Parts {
  const { tree, url } = page
  if (options.includeTags.length > 0) return includedParts(page, options, warnings)
  const readsNoscript = isWrittenInNoscript(tree, [root])
  const hidden = hiddenParts(tree)
  const source = { tree, url, readsNoscript, hidden, site: options.site }
  if (!options.onlyMainContent) {
    const kept = wholePage(tree)
    const cleaned = cleanedOrNot(source, { parts: kept, hasTitle: true }, { options, warnings })
    if (cleaned) addMarks(cleaned.skipped, hidden)
    return {
      kept,
      ...(cleaned ?? { skipped: hidden.slice(), title: none, decision: undefined }),
      readsNoscript,
      hidden,
    }
  }
  const { skipped, title, decision } =
    cleanedOrNot(source, { mode: options.mainContentMode }, { options, warnings }) ??
    mainContent(source, options.mainContentMode)
  addMarks(skipped, hidden)
  const node = narrowest(tree, skipped)
  return { kept: node === root ? wholePage(tree) : [node], skipped, title, readsNoscript, hidden, decision }
}

function includedParts({ tree, url }: ParsedPage, options: PartOptions, warnings: Set<string>): Parts {
  const included = new Uint8Array(tree.count)
  mark(included, tree, { option: 'includeTags', selectors: options.includeTags, warnings })
  const kept = outermost(tree, included).flatMap((node) => {
    const framed = iframeContent(tree, node)
    return framed === none || included[framed] === 1 ? [node] : [node, framed]
  })
  if (kept.length === 0) warnings.add('No element of the page matches includeTags.')
  const readsNoscript = isWrittenInNoscript(tree, kept)
  const source = { tree, url, readsNoscript }
  const cleaned = cleanedOrNot(source, { parts: kept, hasTitle: false }, { options, warnings })
  return {
    kept,
    skipped: cleaned?.skipped ?? new Uint8Array(tree.count),
    title: none,
    readsNoscript,
    hidden: undefined,
    decision: cleaned?.decision,
  }
}

function cleanedOrNot(
  source: PageSource,
  asked: Cleaned,
  { options, warnings }: { options: PartOptions; warnings: Set<string> },
): MainContent | undefined {
  if (!options.onlyCleanContent) return undefined
  const cleaned = cleanContent(source, asked)
  if (!cleaned) warnings.add(cannotClean)
  return cleaned
}

const cannotClean =
  'onlyCleanContent has no effect: the page has too little text to tell content from the rest, so nothing was removed.'

interface SelectorOption {
  option: string
  selectors: string[]
  warnings: Set<string>
}

function mark(marks: Uint8Array, tree: Tree, { option, selectors, warnings }: SelectorOption): void {
  for (const selector of selectors) {
    const found = select(tree, selector)
    if (found.ok) for (const node of found.nodes) marks[node] = 1
    else if (found.reason === 'costly') throw selectorTooCostly(option, selector)
    else warnings.add(`${option}: "${selector}" is not a valid CSS selector and was ignored.`)
  }
}

function selectorTooCostly(option: string, selector: string): AppError {
  const bound = 'MAX_SELECTOR_STEPS'
  const { most } = bounds[bound]
  const message = `${option}: "${selector}" takes too long on this page: all selectors together may take ${most} steps (${bound}). Use fewer or simpler selectors.`
  return new AppError(
    'SCRAPE_PAGE_TOO_LARGE',
    { phase: 'render', bound, most, option, selector },
    { message },
  )
}

function wholePage(tree: Tree): Node[] {
  const kept: Node[] = []
  for (let node = root + 1; node < tree.count; node = endOf(tree, node)) kept.push(node)
  return kept
}

/** Marked nodes in document order, without those inside another. */
function outermost(tree: Tree, marks: Uint8Array): Node[] {
  const found: Node[] = []
  let node = root + 1
  while (node < tree.count) {
    const isMarked = marks[node] === 1
    if (isMarked) found.push(node)
    node = isMarked ? endOf(tree, node) : node + 1
  }
  return found
}

/**
 * Some forums send their pages twice: for scripts, and as text inside noscript. Only the second can be read.
 */
export function isWrittenInNoscript(tree: Tree, kept: readonly Node[]): boolean {
  let inside = 0
  for (const part of kept) inside += noscriptLength(tree, part)
  if (inside < 200) return false
  let outside = 0
  for (const part of kept) outside += textLength(tree, part, unreadOutside)
  return inside > outside * 2
}

const unread = tagSet('base head link meta script style template title')
const unreadOutside = tagSet('base head link meta noscript script style template title')

/** How much text stands in noscript at or below this node. */
function noscriptLength(tree: Tree, part: Node): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === tag.noscript) length += textLength(tree, node, unread)
    node = id === tag.noscript || unread[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}

/** How much text stands at or below this node, outside of these elements. */
function textLength(tree: Tree, part: Node, without: Uint8Array): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === 0) length += textAt(tree, node).trim().length
    node = without[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}

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
