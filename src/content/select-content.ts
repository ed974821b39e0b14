import { bounds } from '../platform/bounds.ts'
import { AppError } from '../platform/errors.ts'
import { findHiddenParts } from './hidden.ts'
import { iframeContent } from './iframe-marker.ts'
import type { MainContentMode } from './main-content/block-selection.ts'
import { type CleaningRequest, cleanContent } from './main-content/clean-content.ts'
import { type Decision, type MainContent, mainContent } from './main-content/main-content.ts'
import type { PageSource } from './main-content/page-analysis.ts'
import type { SiteBlocks } from './main-content/site-blocks.ts'
import { select } from './select.ts'
import { tag, tagSet } from './tree/names.ts'
import {
  childrenOf,
  endOf,
  findAround,
  findOnlyChild,
  isText,
  type Node,
  none,
  root,
  type Tree,
  tagOf,
  textAt,
} from './tree/tree.ts'

export interface PartOptions {
  onlyMainContent: boolean
  mainContentMode?: MainContentMode | undefined
  onlyCleanContent?: boolean
  includeTags: string[]
  excludeTags: string[]
  blocksAds?: boolean
  /** In a crawl: the texts of its pages so far. A text that is on most of them is not main content. */
  site?: SiteBlocks | undefined
}

export interface SelectedContent extends Excerpt {
  marks: { hidden: Uint8Array | undefined; blocked: Uint8Array; excluded: Uint8Array }
  decision: Decision | undefined
}

/** Parts named by the caller are used as they are, without a search for the main content. */
export function selectContent(
  page: ParsedPage,
  options: PartOptions,
  warnings: Set<string>,
): SelectedContent {
  const { tree, base, blocked } = page
  const { hidden, ...chosen } = chooseParts(page, options, warnings)
  const { skipped, title } = chosen
  const excluded = markSelected(tree, 'excludeTags', { options, warnings })
  addMarks(excluded, blocked)
  addMarks(skipped, excluded)
  const shownTitle = findAround(tree, title, (at) => excluded[at] === 1) === none ? title : none
  return { ...chosen, tree, title: shownTitle, base, marks: { hidden, blocked, excluded } }
}

function addMarks(marks: Uint8Array, others: Uint8Array): void {
  for (let node = 0; node < marks.length; node += 1) if (others[node] === 1) marks[node] = 1
}

interface ParsedPage {
  tree: Tree
  blocked: Uint8Array
  url: string
  base: string
}

type Parts = Pick<Excerpt, 'kept' | 'skipped' | 'title' | 'readsNoscript'> & {
  hidden: Uint8Array | undefined
  decision: Decision | undefined
}

function chooseParts(page: ParsedPage, options: PartOptions, warnings: Set<string>): Parts {
  const { tree, url } = page
  if (options.includeTags.length > 0) return findIncludedParts(page, options, warnings)
  const readsNoscript = isWrittenInNoscript(tree, [root])
  const hidden = findHiddenParts(tree)
  const source = { tree, url, readsNoscript, hidden, site: options.site }
  if (!options.onlyMainContent) {
    const kept = childrenOf(tree, root)
    const cleaned = cleanIfRequested(source, { parts: kept, hasTitle: true }, { options, warnings })
    if (cleaned) addMarks(cleaned.skipped, hidden)
    const whole = cleaned ?? { skipped: hidden.slice(), title: none, decision: undefined }
    return { kept, ...whole, readsNoscript, hidden }
  }
  const found =
    cleanIfRequested(source, { mode: options.mainContentMode }, { options, warnings }) ??
    mainContent(source, options.mainContentMode)
  addMarks(found.skipped, hidden)
  const node = findNarrowest(tree, found.skipped)
  return { ...found, kept: node === root ? childrenOf(tree, root) : [node], readsNoscript, hidden }
}

const plainTags = tagSet('article body center div html main section')

/** Returns the innermost element that contains all kept nodes, so that no empty wrappers are written. */
export function findNarrowest(tree: Tree, skipped: Uint8Array): Node {
  const isIgnored = (_: Tree, node: Node) => {
    if (skipped[node] === 1) return true
    const start = tree.starts[node] ?? 0
    return isText(tree, node) && start >= 0 && tree.html.slice(start, tree.stops[node]).trim() === ''
  }
  let node = root
  while (node === root || plainTags[tree.tags[node] ?? 0] === 1) {
    const only = findOnlyChild(tree, node, isIgnored)
    if (only === none || isText(tree, only)) break
    node = only
  }
  return node
}

function findIncludedParts({ tree, url }: ParsedPage, options: PartOptions, warnings: Set<string>): Parts {
  const included = markSelected(tree, 'includeTags', { options, warnings })
  const kept = findOutermost(tree, included).flatMap((node) => {
    const framed = iframeContent(tree, node)
    return framed === none || included[framed] === 1 ? [node] : [node, framed]
  })
  if (kept.length === 0) warnings.add('No element of the page matches includeTags.')
  const readsNoscript = isWrittenInNoscript(tree, kept)
  const source = { tree, url, readsNoscript }
  const cleaned = cleanIfRequested(source, { parts: kept, hasTitle: false }, { options, warnings })
  const skipped = cleaned?.skipped ?? new Uint8Array(tree.count)
  return { kept, skipped, title: none, readsNoscript, hidden: undefined, decision: cleaned?.decision }
}

function cleanIfRequested(
  source: PageSource,
  request: CleaningRequest,
  { options, warnings }: Request,
): MainContent | undefined {
  if (!options.onlyCleanContent) return undefined
  const cleaned = cleanContent(source, request)
  if (!cleaned) warnings.add(cannotClean)
  return cleaned
}

const cannotClean =
  'onlyCleanContent has no effect: the page has too little text to tell content from the rest, so nothing was removed.'

interface Request {
  options: PartOptions
  warnings: Set<string>
}

function markSelected(
  tree: Tree,
  option: 'includeTags' | 'excludeTags',
  { options, warnings }: Request,
): Uint8Array {
  const marks = new Uint8Array(tree.count)
  for (const selector of options[option]) {
    const selection = select(tree, selector)
    if (selection.ok) for (const node of selection.nodes) marks[node] = 1
    else if (selection.reason === 'costly') throw createSelectorError(option, selector)
    else warnings.add(`${option}: "${selector}" is not a valid CSS selector and was ignored.`)
  }
  return marks
}

function createSelectorError(option: string, selector: string): AppError {
  const bound = 'MAX_SELECTOR_STEPS'
  const { most: max } = bounds[bound]
  const message = `${option}: "${selector}" takes too long on this page: all selectors together may take ${max} steps (${bound}). Use fewer or simpler selectors.`
  return new AppError(
    'SCRAPE_PAGE_TOO_LARGE',
    { phase: 'render', bound, most: max, option, selector },
    { message },
  )
}

function findOutermost(tree: Tree, marks: Uint8Array): Node[] {
  const nodes: Node[] = []
  for (let node = marks.indexOf(1, 1); node !== -1; node = marks.indexOf(1, endOf(tree, node)))
    nodes.push(node)
  return nodes
}

/** Some forums send their content for scripts, and as text in noscript, which is the only readable form. */
export function isWrittenInNoscript(tree: Tree, kept: readonly Node[]): boolean {
  const insideLength = kept.reduce((sum, part) => sum + measureNoscriptText(tree, part), 0)
  if (insideLength < 200) return false
  const outsideLength = kept.reduce((sum, part) => sum + measureText(tree, part, nonTextTagsOutside), 0)
  return insideLength > outsideLength * 2
}

const nonTextTags = tagSet('base head link meta script style template title')
const nonTextTagsOutside = tagSet('base head link meta noscript script style template title')

function measureNoscriptText(tree: Tree, part: Node): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === tag.noscript) length += measureText(tree, node, nonTextTags)
    node = id === tag.noscript || nonTextTags[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}

function measureText(tree: Tree, part: Node, excludedTags: Uint8Array): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === 0) length += textAt(tree, node).trim().length
    node = excludedTags[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}

export interface Excerpt {
  tree: Tree
  /** Complete subtrees, in document order, none inside another. */
  kept: readonly Node[]
  skipped: Uint8Array
  title: Node
  readsNoscript: boolean
  base: string
}
