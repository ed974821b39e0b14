import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, attributeNamed, isNamed, type Node, none, root, type Tree, textAt } from '../tree/tree.ts'
import { type Choice, setKept } from './block-selection.ts'
import { type Blocks, computePrefixSums, getBlockRange } from './blocks.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'

/** Removes the lines of tables of contents, paging and source links, found by link target, name and text. */
export function removeNavigation(choice: Choice, evidence: Evidence, url: string): void {
  const { tree, blocks } = evidence
  const page = URL.parse(url)
  const fragmentLinks = new Uint8Array(blocks.count)
  for (let block = 0; block < blocks.count; block += 1) {
    if ((blocks.linkWords[block] ?? 0) === 0) continue
    const link = findLink(tree, blocks, block)
    if (link !== none && isFragmentLink(tree, link, page)) {
      fragmentLinks[block] = 1
      continue
    }
    const isPaging = link !== none && isPagingLink(tree, blocks, block, link)
    if (isPaging || isSourceLink(tree, blocks, block)) setKept(choice, block, false, 'navigation')
  }
  removeTablesOfContents(choice, evidence, fragmentLinks)
}

const maxNodesBeforeLink = 12
/** Maximum share of words outside the link in a line of navigation, such as a section number. */
const maxShareOutsideLink = 0.4

function findLink(tree: Tree, blocks: Blocks, block: number): Node {
  const words = blocks.words[block] ?? 0
  if ((blocks.linkWords[block] ?? 0) < words * (1 - maxShareOutsideLink)) return none
  const text = blocks.firsts[block] ?? root
  for (let at = tree.parents[text] ?? root, level = 0; at > root && level < 4; level += 1) {
    if (tree.tags[at] === tag.a) return at
    at = tree.parents[at] ?? root
  }
  const end = Math.min(blocks.lasts[block] ?? 0, text + maxNodesBeforeLink)
  for (let at = text; at < end; at += 1) if (tree.tags[at] === tag.a) return at
  return none
}

function isFragmentLink(tree: Tree, link: Node, page: URL | null): boolean {
  const href = attribute(tree, link, attr.href) ?? ''
  if (href.startsWith('#')) return href.length > 1
  const target = href.includes('#') ? URL.parse(href, page?.href) : null
  return target !== null && target.host === page?.host && target.pathname === page.pathname
}

const barNames =
  /(?:^|\s)(?:nav-?(?:header|footer|panel|bar|igation(?:bar)?|settop|setbottom)|spirit-nav|docnav|crosslinks|page-?nav(?:igation)?|prev-?next(?:-\w+)?|pager|pagination|breadcrumbs?|tocset|footer)(?:\s|$)/i
const barTags = tagSet('div header nav p section table ul')
const maxBarWords = 60

export function findNavigationBars({ tree, blocks }: Evidence): Node[] {
  const bars: Node[] = []
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (barTags[tree.tags[node] ?? 0] !== 1) continue
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    if (words > maxBarWords || !isNamed(tree, node, barNames)) continue
    bars.push(node)
    node = (tree.ends[node] ?? tree.count) - 1
  }
  return bars
}

const maxPagingWords = 12
const pagingNames =
  /(?:^|[\s_-])(?:prev(?:ious)?|next|pager|paginat(?:ion|or)|navheader|navfooter|page-?nav(?:igation)?|(?:prev|previous)-?next)(?:$|[\s_-])/i
const pagingRelations = /(?:^|\s)(?:prev|previous|next|up|contents|start|home)(?:\s|$)/i
const pagingWords =
  /^(?:prev(?:ious)?|next|up|home|contents|top|back to top|(?:previous|next) (?:page|chapter|section|topic)|table of contents)$/i

function isPagingLink(tree: Tree, blocks: Blocks, block: number, link: Node): boolean {
  if ((blocks.words[block] ?? 0) > maxPagingWords) return false
  if (pagingRelations.test(attributeNamed(tree, link, 'rel') ?? '')) return true
  if ([link, tree.parents[link] ?? root].some((node) => isNamed(tree, node, pagingNames))) return true
  return pagingWords.test(readLine(tree, blocks, block).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
}

const maxSourceLinkWords = 8
const sourceWords =
  /^\W*(?:edit (?:this page|this|page|source|on git(?:hub|lab))(?: on \w+)?|(?:view|show|go to the|browse) (?:page )?source(?: code)?(?: of this file)?|view (?:on|this page on) git(?:hub|lab)|improve this (?:doc|page)|download openapi(?:[ :]+\w+)*|(?:since |const: |\d[\d.]*[^\w.]+)*source)\W*$/i

const isSourceLink = (tree: Tree, blocks: Blocks, block: number) =>
  (blocks.words[block] ?? 0) <= maxSourceLinkWords && sourceWords.test(readLine(tree, blocks, block))

const maxLineLength = 120

function readLine(tree: Tree, blocks: Blocks, block: number): string {
  let line = ''
  const end = blocks.lasts[block] ?? 0
  for (let node = blocks.firsts[block] ?? 0; node < end && line.length < maxLineLength; node += 1) {
    if (tree.tags[node] === 0) line += textAt(tree, node).replace(/\s+/g, ' ').slice(0, maxLineLength)
  }
  return line.replace(/ +/g, ' ').trim()
}

const listTags = tagSet('dl nav ol ul')
const minFragmentLinks = 2
/** A longer list is kept as content, such as an index. */
const maxFragmentLinks = 40
const minFragmentLinkShare = 0.8
const maxPageShare = 0.5

/** The headings repeat these. `fragmentLinks` has 1 for each block that links to a part of the page. */
function removeTablesOfContents(
  choice: Choice,
  { tree, blocks, page }: Evidence,
  fragmentLinks: Uint8Array,
): void {
  const linksBefore = computePrefixSums(blocks.count, (block) => fragmentLinks[block] ?? 0)
  if (linksBefore[blocks.count] === 0) return
  for (let node = 1; node < tree.count; node += 1) {
    if (listTags[tree.tags[node] ?? 0] !== 1) continue
    const [from, to] = getBlockRange(tree, blocks, node)
    const linkCount = (linksBefore[to] ?? 0) - (linksBefore[from] ?? 0)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    const minCount = isNamedContents(tree, node) ? 1 : minFragmentLinks
    const isContents = linkCount >= minCount && linkCount >= (to - from) * minFragmentLinkShare
    if (!isContents || words > page.words * maxPageShare) continue
    if (linkCount <= maxFragmentLinks) {
      const first = from > 0 && isContentsHeading(tree, blocks, from - 1) ? from - 1 : from
      for (let block = first; block < to; block += 1) setKept(choice, block, false, 'navigation')
    }
    node = (tree.ends[node] ?? 0) - 1
  }
}

const contentsWords =
  /^\W*(?:(?:table of )?contents|(?:on|in) this (?:page|article|section|document)|page contents|outline|index|inhalt(?:sverzeichnis)?|sommaire|table des mati[eè]res|contenidos?|[ií]ndice|indice|sommario|目录|目次|содержание)\W*$/iu
const contentsNames = /(?:^|[\s_-])(?:toc\w*|\w*contents|table-of-contents)(?:$|[\s_-])/i
const maxHeadingWords = 6

function isContentsHeading(tree: Tree, blocks: Blocks, block: number): boolean {
  if ((blocks.words[block] ?? 0) > maxHeadingWords) return false
  const holder = elementOfBlock(blocks, block)
  return isNamedContents(tree, holder) || contentsWords.test(readLine(tree, blocks, block))
}

const isNamedContents = (tree: Tree, node: Node) =>
  [node, tree.parents[node] ?? root].some((at) => isNamed(tree, at, contentsNames))
