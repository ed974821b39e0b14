import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  findAround,
  findTag,
  isDialog,
  isNamed,
  type Node,
  none,
  root,
  type Tree,
} from '../tree/tree.ts'
import { blockCountIn, region, regionAround } from './elements.ts'
import { type Evidence, elementOfBlock, type PageSource, sumIn } from './page-analysis.ts'
import { titleOverlap } from './page-facts.ts'
import { isSiteText } from './site-blocks.ts'

interface TitleMatch {
  node: Node
  overlap: number
}

interface Heading extends TitleMatch {
  level: number
  isLogo: boolean
  /** True if the title contains the complete heading, and begins with it or the heading has a name of a title. */
  isInTitle: boolean
}

const minOverlap = 0.4
const minOverlapOfSeveral = 0.3

/**
 * Prefers the only h1, else the heading that matches the title, else one that the title contains. A page without such a
 * heading gets no title, because the `<title>` is made for tabs and search engines.
 */
export function findTitle(source: PageSource, evidence: Evidence, skipped: Uint8Array): Node {
  const headings = readHeadings(source, evidence)
  const topHeadings = headings.filter(({ level, isLogo }) => level === 1 && !isLogo)
  const subheading = findBestMatch(headings.filter(({ level, isLogo }) => level > 1 && !isLogo))
  const titleLine = findTitleLine(evidence, source.hidden)
  if (topHeadings.length === 1) return chooseName(topHeadings[0], [subheading, titleLine])
  const best = findBestMatch(topHeadings)
  if (best && best.overlap >= minOverlapOfSeveral) return best.node
  if (subheading && subheading.overlap >= minOverlap) return subheading.node
  const partOfTitle = headings.find(({ isLogo, isInTitle }) => isInTitle && !isLogo)
  if (partOfTitle && topHeadings.length === 0) return partOfTitle.node
  if (titleLine) return titleLine.node
  // Several h1 that do not match the title each name a part of the content, if any of them is in the content.
  const namesPart = topHeadings.some(({ node }) => !isOmitted(source.tree, node, skipped))
  return namesPart ? none : ((topHeadings[0] ?? headings.find(({ level }) => level === 1))?.node ?? none)
}

/** If the only h1 does not match the title and another heading matches all of it, the h1 is the site name. */
const maxSiteNameOverlap = 0.3
const minOtherOverlap = 0.6

function chooseName(first: TitleMatch | undefined, others: (TitleMatch | undefined)[]): Node {
  const isSiteName = (first?.overlap ?? 0) < maxSiteNameOverlap
  const other = others.find((candidate) => candidate && candidate.overlap >= minOtherOverlap)
  return ((isSiteName && other) || first)?.node ?? none
}

const minLineOverlap = 0.5
const minNamedLineOverlap = 0.3
const maxLineWords = 30
const maxLineBlocks = 3

/** Finds the line that matches the title if no heading does, because generators write titles in any element. */
function findTitleLine(evidence: Evidence, hidden: Uint8Array | undefined): TitleMatch | undefined {
  const { tree, blocks, page } = evidence
  let best: TitleMatch | undefined
  for (let block = 0; block < blocks.count; block += 1) {
    if ((blocks.words[block] ?? 0) > maxLineWords || (blocks.linkWords[block] ?? 0) > 0) continue
    const { titleShare, blockShare } = titleOverlap(blocks, block, page.title)
    const overlap = titleShare * blockShare
    if (overlap < minNamedLineOverlap || overlap <= (best?.overlap ?? 0)) continue
    const node = elementOfBlock(blocks, block)
    if (overlap < minLineOverlap && !isNamedTitle(tree, node)) continue
    if (isLine(evidence, node) && !isOmitted(tree, node, hidden ?? noMarks)) best = { node, overlap }
  }
  return best
}

function isLine({ tree, blocks, elements }: Evidence, node: Node): boolean {
  if (lineTags[tree.tags[node] ?? 0] !== 1 || blockCountIn(tree, blocks, node) > maxLineBlocks) return false
  if (sumIn(tree, blocks, blocks.wordsBefore, node) > maxLineWords) return false
  return regionAround(elements.regions, node, region.nav) === none && !isInDialog(tree, node)
}

const titleNames = /(?:^|[\s_-])(?:\w*title|caption|heading|headline)(?:$|[\s_-])/i

const isNamedTitle = (tree: Tree, node: Node) => titleNames.test(classOf(tree, node) ?? '')

const lineTags = tagSet('div p center header')
const noMarks = new Uint8Array()

const findBestMatch = (headings: Heading[]): Heading | undefined =>
  headings.toSorted((left, right) => right.overlap - left.overlap)[0]

const isOmitted = (tree: Tree, node: Node, skipped: Uint8Array) =>
  findAround(tree, node, (at) => skipped[at] === 1) !== none

/** Maximum number of headings that are read. A page with more has no heading as its title. */
const maxHeadings = 1000

function readHeadings({ tree, url, hidden, site }: PageSource, { blocks, page }: Evidence): Heading[] {
  const headings: Heading[] = []
  const isStartPage = isStartPath(URL.parse(url)?.pathname ?? '/')
  for (let node = 1; node < tree.count && headings.length < maxHeadings; node += 1) {
    const name = tree.tags[node] ?? 0
    const end = tree.ends[node] ?? tree.count
    if (hidden?.[node] === 1) {
      node = end - 1
      continue
    }
    if (name < tag.h1 || name > tag.h6) continue
    const from = blocks.before[node] ?? 0
    const to = blocks.before[end] ?? 0
    if (from === to || isInDialog(tree, node)) continue
    let overlap = 0
    let isContained = false
    for (let block = from; block < to; block += 1) {
      const { titleShare, blockShare } = titleOverlap(blocks, block, page.title)
      overlap = Math.max(overlap, titleShare * blockShare)
      isContained ||= blockShare === 1
    }
    const isFirst = page.title[0] === blocks.buckets[blocks.bucketStarts[from] ?? 0]
    const isOnAllPages = site !== undefined && isSiteText(site, blocks.hashes[from] ?? 0)
    const isLogo =
      isOnAllPages || (!isStartPage && (isNamedLogo(tree, node) || linksToStartPage(tree, node, url)))
    const isInTitle = isContained && (isFirst || isNamedTitle(tree, node))
    headings.push({ node, level: name - tag.h1 + 1, overlap, isLogo, isInTitle })
  }
  return headings
}

const isInDialog = (tree: Tree, node: Node) => findAround(tree, node, (at) => isDialog(tree, at)) !== none

const logoNames = /(?:^|[\s_-])(?:logo|brand|site-?(?:title|name|description)|blog-?title)(?:$|[\s_-])/i

const isNamedLogo = (tree: Tree, heading: Node) =>
  [heading, tree.parents[heading] ?? root].some((node) => isNamed(tree, node, logoNames))

function linksToStartPage(tree: Tree, heading: Node, url: string): boolean {
  let link = findAround(tree, heading, (at) => tree.tags[at] === tag.a)
  if (link === none) link = findTag(tree, tag.a, heading + 1, tree.ends[heading] ?? 0)
  const href = attribute(tree, link, attr.href)
  const target = href ? URL.parse(href, url) : null
  return target !== null && target.host === URL.parse(url)?.host && isStartPath(target.pathname)
}

const isStartPath = (path: string) =>
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?$/i.test(path)

export function keepTitleOnce({ tree, blocks }: Evidence, title: Node, skipped: Uint8Array): void {
  skipped.fill(0, title, tree.ends[title] ?? title)
  const hash = blocks.hashes[blocks.before[title] ?? 0]
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (node === title || (name !== tag.h1 && name !== tag.h2)) continue
    const from = blocks.before[node] ?? 0
    const isAlone = (blocks.before[tree.ends[node] ?? 0] ?? 0) === from + 1
    if (isAlone && blocks.hashes[from] === hash) skipped[node] = 1
  }
}
