import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, attributeNamed, isNamed, type Node, none, root, type Tree, textAt } from '../tree/tree.ts'
import { type Choice, change } from './block-selection.ts'
import { type Blocks, blocksIn, sumsBefore } from './blocks.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'

/**
 * On a page of documentation stand lines that lead about it and say nothing of its subject: a table of the contents of this
 * page, links to the page before and the next one, links to its source. They are known by where they lead and by what they
 * are called, and are left out whole.
 */
export function removeNavigation(choice: Choice, evidence: Evidence, url: string): void {
  const { tree, blocks } = evidence
  const page = URL.parse(url)
  const jumps = new Uint8Array(blocks.count)
  for (let block = 0; block < blocks.count; block += 1) {
    if ((blocks.linkWords[block] ?? 0) === 0) continue
    const link = linkOf(tree, blocks, block)
    const isPart = link !== none && leadsToPart(tree, link, page)
    if (isPart) jumps[block] = 1
    else if (isOfSource(tree, blocks, block) || (link !== none && isStep(tree, blocks, block, link))) {
      change(choice, block, false, 'navigation')
    }
  }
  dropContents(choice, evidence, jumps)
}

/** A link that is a line of its own begins among its first nodes. */
const nodesOfLine = 12
/** Beside a link, a line of a table of contents has a number at most. */
const maxBesideLink = 0.4

/** The link that makes up the whole block, or `none` if it has other content. */
function linkOf(tree: Tree, blocks: Blocks, block: number): Node {
  const words = blocks.words[block] ?? 0
  if ((blocks.linkWords[block] ?? 0) < words * (1 - maxBesideLink)) return none
  const text = blocks.firsts[block] ?? root
  for (let at = tree.parents[text] ?? root, level = 0; at > root && level < 4; level += 1) {
    if (tree.tags[at] === tag.a) return at
    at = tree.parents[at] ?? root
  }
  const end = Math.min(blocks.lasts[block] ?? 0, text + nodesOfLine)
  for (let at = text; at < end; at += 1) if (tree.tags[at] === tag.a) return at
  return none
}

function leadsToPart(tree: Tree, link: Node, page: URL | null): boolean {
  const href = attribute(tree, link, attr.href) ?? ''
  if (href.startsWith('#')) return href.length > 1
  const target = href.includes('#') ? URL.parse(href, page?.href) : null
  return target !== null && target.host === page?.host && target.pathname === page.pathname
}

const bars =
  /(?:^|\s)(?:nav-?(?:header|footer|panel|bar|igation(?:bar)?|settop|setbottom)|spirit-nav|docnav|crosslinks|page-?nav(?:igation)?|prev-?next(?:-\w+)?|pager|pagination|breadcrumbs?|tocset|footer)(?:\s|$)/i
const barTags = tagSet('div header nav p section table ul')
const maxWordsOfBar = 60

/** Bars of steps and footers, with the pictures in them: what they are called says what they are. */
export function navigationBars({ tree, blocks }: Evidence): Node[] {
  const found: Node[] = []
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (barTags[tree.tags[node] ?? 0] !== 1) continue
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    if (words > maxWordsOfBar || !isNamed(tree, node, bars)) continue
    found.push(node)
    node = (tree.ends[node] ?? tree.count) - 1
  }
  return found
}

const longestStep = 12
const stepNames =
  /(?:^|[\s_-])(?:prev(?:ious)?|next|pager|paginat(?:ion|or)|navheader|navfooter|page-?nav(?:igation)?|(?:prev|previous)-?next)(?:$|[\s_-])/i
const stepRelations = /(?:^|\s)(?:prev|previous|next|up|contents|start|home)(?:\s|$)/i
const stepWords =
  /^(?:prev(?:ious)?|next|up|home|contents|top|back to top|(?:previous|next) (?:page|chapter|section|topic)|table of contents)$/i

/** Whether it leads to the page before, the next one, or the one above. */
function isStep(tree: Tree, blocks: Blocks, block: number, link: Node): boolean {
  if ((blocks.words[block] ?? 0) > longestStep) return false
  if (stepRelations.test(attributeNamed(tree, link, 'rel') ?? '')) return true
  if ([link, tree.parents[link] ?? root].some((node) => isNamed(tree, node, stepNames))) return true
  return stepWords.test(lineOf(tree, blocks, block).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
}

const longestSource = 8
const sourceWords =
  /^\W*(?:edit (?:this page|this|page|source|on git(?:hub|lab))(?: on \w+)?|(?:view|show|go to the|browse) (?:page )?source(?: code)?(?: of this file)?|view (?:on|this page on) git(?:hub|lab)|improve this (?:doc|page)|download openapi(?:[ :]+\w+)*|(?:since |const: |\d[\d.]*[^\w.]+)*source)\W*$/i

/** Whether it leads to the source of the page. */
function isOfSource(tree: Tree, blocks: Blocks, block: number): boolean {
  return (blocks.words[block] ?? 0) <= longestSource && sourceWords.test(lineOf(tree, blocks, block))
}

/** More than a line of navigation says. */
const longestLine = 120

function lineOf(tree: Tree, blocks: Blocks, block: number): string {
  let line = ''
  const end = blocks.lasts[block] ?? 0
  for (let node = blocks.firsts[block] ?? 0; node < end && line.length < longestLine; node += 1) {
    if (tree.tags[node] === 0) line += textAt(tree, node).replace(/\s+/g, ' ').slice(0, longestLine)
  }
  return line.replace(/ +/g, ' ').trim()
}

const listTags = tagSet('dl nav ol ul')
const minJumps = 2
/** A longer one tells more than the headings do at a glance. */
const maxJumps = 40
/** The share of links of a table of contents that lead to parts of the page. */
const mostOfContents = 0.8
/** A list that is most of the page is what the page is for. */
const mostOfPage = 0.5

/**
 * What such a list says is said again by the headings that it leads to. `jumps` has 1 for each block that is a link to a part
 * of the page.
 */
function dropContents(choice: Choice, { tree, blocks, page }: Evidence, jumps: Uint8Array): void {
  const before = sumsBefore(blocks.count, (block) => jumps[block] ?? 0)
  if (before[blocks.count] === 0) return
  for (let node = 1; node < tree.count; node += 1) {
    if (listTags[tree.tags[node] ?? 0] !== 1) continue
    const [from, to] = blocksIn(tree, blocks, node)
    const found = (before[to] ?? 0) - (before[from] ?? 0)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    const fewest = isNamedContents(tree, node) ? 1 : minJumps
    if (found < fewest || found < (to - from) * mostOfContents || words > page.words * mostOfPage) continue
    if (found <= maxJumps) dropList(choice, tree, blocks, from, to)
    node = (tree.ends[node] ?? 0) - 1
  }
}

function dropList(choice: Choice, tree: Tree, blocks: Blocks, from: number, to: number): void {
  for (let block = from; block < to; block += 1) change(choice, block, false, 'navigation')
  if (from > 0 && isNameOfContents(tree, blocks, from - 1)) change(choice, from - 1, false, 'navigation')
}

const contentsWords =
  /^\W*(?:(?:table of )?contents|(?:on|in) this (?:page|article|section|document)|page contents|outline|index|inhalt(?:sverzeichnis)?|sommaire|table des mati[eè]res|contenidos?|[ií]ndice|indice|sommario|目录|目次|содержание)\W*$/iu
const contentsNames = /(?:^|[\s_-])(?:toc\w*|\w*contents|table-of-contents)(?:$|[\s_-])/i
const longestName = 6

function isNameOfContents(tree: Tree, blocks: Blocks, block: number): boolean {
  if ((blocks.words[block] ?? 0) > longestName) return false
  const holder = elementOfBlock(blocks, block)
  return isNamedContents(tree, holder) || contentsWords.test(lineOf(tree, blocks, block))
}

/** Whether it or the element around it is called a table of contents. */
function isNamedContents(tree: Tree, node: Node): boolean {
  return [node, tree.parents[node] ?? root].some((at) => isNamed(tree, at, contentsNames))
}
