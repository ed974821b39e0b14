import { attr, tag, tagSet } from '../tree/names.ts'
import { characterCodes } from '../tree/source.ts'
import { attribute, type Node, none, type Tree, textAt, textOf } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { createTextFacts, fact, factsPerBlock, readText } from './text-facts.ts'

export type PageFacts = ReturnType<typeof createPageFacts>

export function readPageFacts(tree: Tree, blocks: Blocks, url: string): PageFacts {
  const facts = createPageFacts(blocks, url)
  countElements(tree, facts)
  countBlocks(tree, blocks, facts)
  facts.titleBlock = findTitleBlock(tree, blocks, facts.title)
  return facts
}

function createPageFacts(blocks: Blocks, url: string) {
  const title: number[] = []
  return {
    /** Hash buckets of the words of the page title: at most 32, so that a number can be their bit set. */
    title,
    /** The block that names the page: a heading that matches the title, else the first of the highest level. */
    titleBlock: none,
    repeated: new Map<number, number>(),
    words: blocks.wordsBefore[blocks.count] ?? 0,
    linkWords: blocks.linkWordsBefore[blocks.count] ?? 0,
    inParagraphs: 0,
    inItems: 0,
    inCode: 0,
    inTerms: 0,
    inCells: 0,
    headings: 0,
    inputs: 0,
    images: 0,
    prices: 0,
    articles: 0,
    surroundings: 0,
    longBlocks: 0,
    isArticle: false,
    isForum: false,
    isGenerated: false,
    permalinks: 0,
    url: readUrlFacts(url),
  }
}

const pathPatterns = [
  /\/(?:forums?|threads?|topics?|t|viewtopic|showthread|discussions?|questions?|community|r|comments)(?:[/.]|$)/i,
  /\/(?:products?|item|p|dp|shop|store|buy)(?:[/.]|$)/i,
  /\/(?:docs?|documentation|reference|api|guide|manual|wiki|help|learn|tutorials?)(?:[/.]|$)/i,
  /\/(?:categor(?:y|ies)|tags?|collections?|archives?|search|browse)(?:[/.]|$)/i,
  /\/(?:blog|news|articles?|posts?|stor(?:y|ies)|press|magazine)(?:[/.]|$)/i,
  /\/(?:services?|solutions?|about|pricing|features|contact|company)(?:[/.]|$)/i,
  /\/(?:19|20)\d\d\/\d/,
  /^\/?$/,
]

function readUrlFacts(url: string) {
  const path = (URL.parse(url)?.pathname ?? '/').slice(0, 2000)
  const lastSegment = path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1)
  return {
    depth: path.split('/').filter(Boolean).length,
    hasSlug: lastSegment.split('-').length > 3,
    kind: pathPatterns.findIndex((pattern) => pattern.test(path)) + 1,
  }
}

const surroundings = tagSet('aside footer header nav')

function countElements(tree: Tree, facts: PageFacts): void {
  for (let node: Node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.img) facts.images += 1
    else if (name === tag.a) facts.permalinks += Number(isPermalink(tree, node))
    else if (name === tag.input || name === tag.select || name === tag.textarea) facts.inputs += 1
    else if (name === tag.article) facts.articles += 1
    else if (surroundings[name] === 1) facts.surroundings += 1
    else if (name === tag.meta) readMeta(tree, node, facts)
    else if (name === tag.title && facts.title.length === 0) facts.title = readTitleWords(textOf(tree, node))
    else if (name === tag.script && attribute(tree, node, attr.type) === 'application/ld+json') {
      readTypes(tree, node, facts)
    }
  }
}

function readTitleWords(title: string): number[] {
  const facts = createTextFacts()
  readText(facts, characterCodes(title), 0, title.length, false)
  const words = new Set<number>()
  // Buckets of words and of word pairs alternate.
  for (let at = 0; at < facts.bucketCount; at += 2) words.add(facts.buckets[at] ?? 0)
  return [...words]
}

function isPermalink(tree: Tree, node: Node): boolean {
  const size = (tree.ends[node] ?? 0) - node
  if (size > 3 || attribute(tree, node, attr.href)?.startsWith('#') !== true) return false
  if (permalinkNames.test(attribute(tree, node, attr.class) ?? '')) return true
  return size === 2 && /^\s*[#¶§]\s*$/.test(textOf(tree, node))
}

const permalinkNames =
  /(?:^|[\s_-])(?:header-?link|head(?:ing|er)?-?anchor|anchor|permalink|hash-link|selflink)(?:$|[\s_-])/i

const generators =
  /sphinx|docutils|mkdocs|docusaurus|vitepress|vuepress|starlight|nextra|javadoc|groovydoc|dokka|rustdoc|mdbook|rdoc|yard|docbook|asciidoc|antora|texinfo|texi2html|makeinfo|doxygen|gtk-doc|gi-docgen|haddock|gitbook|honkit|typedoc|jsdoc|exdoc|pdoc|quarto|bookdown|pkgdown|documenter|latex2html|tex4ht|latexml|hevea|pod2html|man2html|groff|mandoc/i

function readMeta(tree: Tree, node: Node, facts: PageFacts): void {
  if (/^generator$/i.test(attribute(tree, node, attr.name) ?? '')) {
    facts.isGenerated ||= generators.test((attribute(tree, node, attr.content) ?? '').slice(0, 200))
  }
  if (attribute(tree, node, attr.property) !== 'og:type') return
  if (/article|blog|news/i.test(attribute(tree, node, attr.content) ?? '')) facts.isArticle = true
}

/** Reads type names by pattern, so the data may be malformed. */
function readTypes(tree: Tree, node: Node, facts: PageFacts): void {
  const text = node + 1 < (tree.ends[node] ?? 0) ? textAt(tree, node + 1) : ''
  for (const [, type = ''] of text.slice(0, 200_000).matchAll(/"@type"\s*:\s*\[?\s*"(\w{1,40})/g)) {
    if (/Article|BlogPosting|Recipe/.test(type)) facts.isArticle = true
    else if (/Forum|QAPage|Discussion/.test(type)) facts.isForum = true
  }
}

function countBlocks(tree: Tree, blocks: Blocks, facts: PageFacts): void {
  const total = facts.words || 1
  for (let block = 0; block < blocks.count; block += 1) {
    const words = blocks.words[block] ?? 0
    const hash = blocks.hashes[block] ?? 0
    facts.repeated.set(hash, (facts.repeated.get(hash) ?? 0) + 1)
    if (words >= 20) facts.longBlocks += 1
    if ((blocks.facts[block * factsPerBlock + fact.currencySigns] ?? 0) > 0 && words < 12) facts.prices += 1
    const name = tree.tags[blocks.holders[block] ?? 0] ?? 0
    if (name === tag.p) facts.inParagraphs += words / total
    else if (name === tag.li) facts.inItems += words / total
    else if (name === tag.pre) facts.inCode += words / total
    else if (name === tag.dt || name === tag.dd) facts.inTerms += words / total
    else if (name === tag.td || name === tag.th) facts.inCells += words / total
    else if (isHeading(name)) facts.headings += 1
  }
}

export const isHeading = (name: number) => name >= tag.h1 && name <= tag.h6

function findTitleBlock(tree: Tree, blocks: Blocks, title: readonly number[]): number {
  let best = none
  let bestScore = 0
  for (let block = 0; block < blocks.count; block += 1) {
    const name = tree.tags[blocks.holders[block] ?? 0] ?? 0
    if (!isHeading(name)) continue
    const overlap = titleOverlap(blocks, block, title)
    const score =
      overlap.titleShare * overlap.blockShare * 2 + (name === tag.h1 ? 1 : name === tag.h2 ? 0.4 : 0)
    if (score > bestScore + 0.01) {
      best = block
      bestScore = score
    }
  }
  return best
}

const noOverlap = { titleShare: 0, blockShare: 0 }

export function titleOverlap(blocks: Blocks, block: number, title: readonly number[]) {
  const from = blocks.bucketStarts[block] ?? 0
  const words = ((blocks.bucketStarts[block + 1] ?? 0) - from) / 2
  if (title.length === 0 || words === 0 || (blocks.words[block] ?? 0) > 40) return noOverlap
  let matchedBits = 0
  let shared = 0
  for (let at = 0; at < words; at += 1) {
    const index = title.indexOf(blocks.buckets[from + at * 2] ?? 0)
    if (index === -1) continue
    shared += 1
    matchedBits |= 1 << (index & 31)
  }
  return shared === 0
    ? noOverlap
    : { titleShare: countBits(matchedBits) / title.length, blockShare: shared / words }
}

function countBits(bits: number): number {
  let count = 0
  for (let remaining = bits >>> 0; remaining !== 0; remaining &= remaining - 1) count += 1
  return count
}
