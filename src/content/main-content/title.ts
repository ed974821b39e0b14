import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
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
import { isOfSite } from './site-blocks.ts'

interface Said {
  node: Node
  /** How much it and the title of the page say the same, from 0 to 1. */
  said: number
}

interface Heading extends Said {
  level: number
  /** It names the site, not the page. */
  isLogo: boolean
  /** The title says all of it, and begins with it or it is called a title. */
  isInTitle: boolean
}

/** A heading other than h1 names the page if it matches the title. */
const minSaid = 0.4
/** Among several h1, one is the title if it is alone in saying it. */
const minSaidOfSeveral = 0.3

/**
 * The heading that names the page: its one h1, or what says its title where there are several, or none, or only the name of
 * the site; else one that stands in the title. A page without such a heading gets no title: that of its head is made for tabs and search engines.
 */
export function findTitle(source: PageSource, evidence: Evidence, skipped: Uint8Array): Node {
  const headings = readHeadings(source, evidence)
  const first = headings.filter(({ level, isLogo }) => level === 1 && !isLogo)
  const below = maxMentions(headings.filter(({ level, isLogo }) => level > 1 && !isLogo))
  const line = titleLine(evidence, source.hidden)
  if (first.length === 1) return nameOf(first[0], [below, line])
  const best = maxMentions(first)
  if (best && best.said >= minSaidOfSeveral) return best.node
  if (below && below.said >= minSaid) return below.node
  const part = first.length === 0 ? headings.find(({ isLogo, isInTitle }) => isInTitle && !isLogo) : undefined
  if (part) return part.node
  if (line) return line.node
  // Of several that do not say the title each names a part of the content, if any stands in it.
  const isOfPart = first.some(({ node }) => !isLeftOut(source.tree, node, skipped))
  return isOfPart ? none : ((first[0] ?? headings.find(({ level }) => level === 1))?.node ?? none)
}

/** Where the only h1 does not say the title and another heading says all of it, the h1 is the name of the site. */
const maxMentionsBySite = 0.3
const minSaidBeside = 0.6

function nameOf(first: Said | undefined, others: (Said | undefined)[]): Node {
  const isSite = (first?.said ?? 0) < maxMentionsBySite
  const other = isSite ? others.find((found) => found && found.said >= minSaidBeside) : undefined
  return (other ?? first)?.node ?? none
}

/** A line that is no heading names the page if it says nearly nothing but its title, or half of it and is called so. */
const minSaidOfLine = 0.5
const minSaidOfNamed = 0.3
const longestLine = 30
/** The title, and perhaps what it is a part of. */
const maxBlocksOfLine = 3

/** The line that says the title, where no heading does: programs write titles as they like. */
function titleLine(evidence: Evidence, hidden: Uint8Array | undefined): Said | undefined {
  const { tree, blocks, page } = evidence
  let best: Said | undefined
  for (let block = 0; block < blocks.count; block += 1) {
    if ((blocks.words[block] ?? 0) > longestLine || (blocks.linkWords[block] ?? 0) > 0) continue
    const { ofTitle, ofBlock } = titleOverlap(blocks, block, page.title)
    const said = ofTitle * ofBlock
    if (said < minSaidOfNamed || said <= (best?.said ?? 0)) continue
    const node = elementOfBlock(blocks, block)
    if (said < minSaidOfLine && !isNamedTitle(tree, node)) continue
    if (isLine(evidence, node) && !isLeftOut(tree, node, hidden ?? noMarks)) best = { node, said }
  }
  return best
}

function isLine({ tree, blocks, elements }: Evidence, node: Node): boolean {
  if (lineTags[tree.tags[node] ?? 0] !== 1 || blockCountIn(tree, blocks, node) > maxBlocksOfLine) return false
  if (sumIn(tree, blocks, blocks.wordsBefore, node) > longestLine) return false
  return regionAround(elements.regions, node, region.nav) === none && !isInDialog(tree, node)
}

const titleNames = /(?:^|[\s_-])(?:\w*title|caption|heading|headline)(?:$|[\s_-])/i

const isNamedTitle = (tree: Tree, node: Node) => titleNames.test(attribute(tree, node, attr.class) ?? '')

/** Elements of one line that mean nothing else. */
const lineTags = tagSet('div p center header')
const noMarks = new Uint8Array()

/** The first of those that say most. */
function maxMentions(headings: Heading[]): Heading | undefined {
  return headings.reduce<Heading | undefined>(
    (best, heading) => (best && best.said >= heading.said ? best : heading),
    undefined,
  )
}

const isLeftOut = (tree: Tree, node: Node, skipped: Uint8Array) =>
  findAround(tree, node, (at) => skipped[at] === 1) !== none

/** More headings than a page has that has one for its title. */
const maxHeadings = 1000

function readHeadings({ tree, url, hidden, site }: PageSource, { blocks, page }: Evidence): Heading[] {
  const headings: Heading[] = []
  const isHome = isHomePath(URL.parse(url)?.pathname ?? '/')
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
    let said = 0
    let isWhole = false
    for (let block = from; block < to; block += 1) {
      const { ofTitle, ofBlock } = titleOverlap(blocks, block, page.title)
      said = Math.max(said, ofTitle * ofBlock)
      isWhole ||= ofBlock === 1
    }
    const isFirst = page.title[0] === blocks.buckets[blocks.bucketStarts[from] ?? 0]
    const isOnAll = site !== undefined && isOfSite(site, blocks.hashes[from] ?? 0)
    const isLogo = isOnAll || (!isHome && (isNamedLogo(tree, node) || leadsHome(tree, node, url)))
    const isInTitle = isWhole && (isFirst || isNamedTitle(tree, node))
    headings.push({ node, level: name - tag.h1 + 1, said, isLogo, isInTitle })
  }
  return headings
}

/** "We value your privacy" is the title of no page. */
const isInDialog = (tree: Tree, node: Node) => findAround(tree, node, (at) => isDialog(tree, at)) !== none

const logoNames = /(?:^|[\s_-])(?:logo|brand|site-?(?:title|name|description)|blog-?title)(?:$|[\s_-])/i

function isNamedLogo(tree: Tree, heading: Node): boolean {
  return [heading, tree.parents[heading] ?? root].some((node) => isNamed(tree, node, logoNames))
}

/** Whether the link around a heading or its first one leads to the start page of its site. */
function leadsHome(tree: Tree, heading: Node, url: string): boolean {
  const end = tree.ends[heading] ?? 0
  let link = findAround(tree, heading, (at) => tree.tags[at] === tag.a)
  if (link === none) link = findTag(tree, tag.a, heading + 1, end)
  const href = link === none ? undefined : attribute(tree, link, attr.href)
  const target = href ? URL.parse(href, url) : null
  return target !== null && target.host === URL.parse(url)?.host && isHomePath(target.pathname)
}

/** The start page, also of a language. */
const isHomePath = (path: string) =>
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?$/i.test(path)

/** Takes the title in again, whole, and leaves out headings that say the same. */
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
