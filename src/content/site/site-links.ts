import { hashRoute } from '../../platform/url.ts'
import { attr, tag } from '../tree/names.ts'
import { attribute, endOf, findNode, type Node, readTexts, root, type Tree } from '../tree/tree.ts'

interface SiteLink {
  url: string
  text: string
}

export interface SiteLinks {
  links: SiteLink[]
  next: string | undefined
  canonical: string | undefined
  feeds: string[]
  title: string | undefined
  description: string | undefined
}

const maxLinks = 10_000
const maxFeeds = 20
const maxTextLength = 200

export function siteLinks(tree: Tree, base: string): SiteLinks {
  const result = createSiteLinks()
  const byUrl = new Map<string, SiteLink>()
  for (let node = root + 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.a || name === tag.area) readLink(tree, node, base, byUrl, result)
    else if (name === tag.link) readRelation(tree, node, base, result)
    else if (name === tag.title) result.title ??= collapseSpace(readBeginning(tree, node)) || undefined
    else if (name === tag.meta) readMeta(tree, node, result)
  }
  result.links = [...byUrl.values()]
  return result
}

export function readHeadRelations(tree: Tree, base: string): Pick<SiteLinks, 'next' | 'canonical'> {
  const result = createSiteLinks()
  for (let node = root + 1; node < tree.count && tree.tags[node] !== tag.body; node += 1) {
    if (tree.tags[node] === tag.link) readRelation(tree, node, base, result)
  }
  return { next: result.next, canonical: result.canonical }
}

const createSiteLinks = (): SiteLinks => ({
  ...{ links: [], feeds: [], next: undefined, canonical: undefined },
  ...{ title: undefined, description: undefined },
})

function readLink(
  tree: Tree,
  node: Node,
  base: string,
  byUrl: Map<string, SiteLink>,
  result: SiteLinks,
): void {
  const url = toWebUrl(attribute(tree, node, attr.href), base)
  if (url === undefined) return
  if (hasWord(attribute(tree, node, attr.rel), 'next')) result.next ??= url
  const link = byUrl.get(url)
  if (link) link.text ||= readLinkText(tree, node)
  else if (byUrl.size < maxLinks) byUrl.set(url, { url, text: readLinkText(tree, node) })
}

function readLinkText(tree: Tree, node: Node): string {
  const text = collapseSpace(readBeginning(tree, node))
  if (text !== '') return text
  const end = Math.min(endOf(tree, node), node + maxLinkNodes)
  const readAlt = (at: Node) => collapseSpace(attribute(tree, at, attr.alt) ?? '')
  return readAlt(findNode(node + 1, end, (at) => tree.tags[at] === tag.img && readAlt(at) !== ''))
}

/** Maximum number of nodes that are read, because a link that is never closed contains most of a page. */
const maxLinkNodes = 1000

const readBeginning = (tree: Tree, node: Node) =>
  readTexts(tree, node + 1, Math.min(endOf(tree, node), node + maxLinkNodes), maxTextLength)

function readRelation(tree: Tree, node: Node, base: string, result: SiteLinks): void {
  const url = toWebUrl(attribute(tree, node, attr.href), base)
  if (url === undefined) return
  const rel = attribute(tree, node, attr.rel)
  if (hasWord(rel, 'canonical')) result.canonical ??= url
  if (hasWord(rel, 'next')) result.next ??= url
  const isFeed = /^application\/(?:rss|atom)\+xml/i.test(attribute(tree, node, attr.type) ?? '')
  if (isFeed && hasWord(rel, 'alternate') && result.feeds.length < maxFeeds) result.feeds.push(url)
}

function readMeta(tree: Tree, node: Node, result: SiteLinks): void {
  const name = attribute(tree, node, attr.name) ?? attribute(tree, node, attr.property) ?? ''
  if (!/^(?:og:)?description$/i.test(name)) return
  result.description ??= collapseSpace(attribute(tree, node, attr.content) ?? '') || undefined
}

function toWebUrl(href: string | undefined, base: string): string | undefined {
  const trimmed = href?.trim()
  if (!trimmed) return undefined
  const url = URL.parse(trimmed, base)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return trimmed.startsWith('#') && hashRoute(url) === undefined ? undefined : url.href
}

const hasWord = (list: string | undefined, word: string) => list?.toLowerCase().split(/\s+/).includes(word)

const collapseSpace = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
