import { hashRoute } from '../../platform/url.ts'
import { attr, tag } from '../tree/names.ts'
import { attribute, endOf, isText, type Node, root, type Tree, textAt } from '../tree/tree.ts'

interface SiteLink {
  url: string
  /** The text of the link. */
  text: string
}

/** The references of a page to other pages of its site, and to itself. */
export interface SiteLinks {
  links: SiteLink[]
  /** The next page of a list. */
  next: string | undefined
  /** The address that the page wants to be known by. */
  canonical: string | undefined
  feeds: string[]
  title: string | undefined
  description: string | undefined
}

const maxLinks = 10_000
const maxFeeds = 20
const longestText = 200

/** The links of a page and what it says of itself: for pages that are read for nothing else. */
export function siteLinks(tree: Tree, base: string): SiteLinks {
  const found = nothing()
  const byUrl = new Map<string, SiteLink>()
  for (let node = root + 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.a || name === tag.area) readLink(tree, node, base, byUrl, found)
    else if (name === tag.link) readRelation(tree, node, base, found)
    else if (name === tag.title) found.title ??= clean(beginning(tree, node)) || undefined
    else if (name === tag.meta) readMeta(tree, node, found)
  }
  found.links = [...byUrl.values()]
  return found
}

/** The links in the head of a page: the next page of a list, and the canonical URL. */
export function headRelations(tree: Tree, base: string): Pick<SiteLinks, 'next' | 'canonical'> {
  const found = nothing()
  for (let node = root + 1; node < tree.count && tree.tags[node] !== tag.body; node += 1) {
    if (tree.tags[node] === tag.link) readRelation(tree, node, base, found)
  }
  return { next: found.next, canonical: found.canonical }
}

const nothing = (): SiteLinks => ({
  ...{ links: [], feeds: [], next: undefined, canonical: undefined },
  ...{ title: undefined, description: undefined },
})

function readLink(
  tree: Tree,
  node: Node,
  base: string,
  byUrl: Map<string, SiteLink>,
  found: SiteLinks,
): void {
  const url = webUrl(attribute(tree, node, attr.href), base)
  if (url === undefined) return
  if (hasWord(attribute(tree, node, attr.rel), 'next')) found.next ??= url
  const known = byUrl.get(url)
  // The first text of a link is the best one; a picture before it may have had none.
  if (known) known.text ||= textOfLink(tree, node)
  else if (byUrl.size < maxLinks) byUrl.set(url, { url, text: textOfLink(tree, node) })
}

/** The text of a link, or of the image in it. */
function textOfLink(tree: Tree, node: Node): string {
  const text = clean(beginning(tree, node))
  if (text !== '') return text
  const end = Math.min(endOf(tree, node), node + maxInLink)
  for (let at = node + 1; at < end; at += 1) {
    const alt = tree.tags[at] === tag.img ? clean(attribute(tree, at, attr.alt) ?? '') : ''
    if (alt !== '') return alt
  }
  return ''
}

/** A link that is never closed holds much of a page. */
const maxInLink = 1000

function beginning(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + maxInLink)
  let text = ''
  for (let at = node + 1; at < end && text.length < longestText; at += 1) {
    if (isText(tree, at)) text += textAt(tree, at)
  }
  return text
}

function readRelation(tree: Tree, node: Node, base: string, found: SiteLinks): void {
  const url = webUrl(attribute(tree, node, attr.href), base)
  if (url === undefined) return
  const rel = attribute(tree, node, attr.rel)
  if (hasWord(rel, 'canonical')) found.canonical ??= url
  if (hasWord(rel, 'next')) found.next ??= url
  const isFeed = /^application\/(?:rss|atom)\+xml/i.test(attribute(tree, node, attr.type) ?? '')
  if (isFeed && hasWord(rel, 'alternate') && found.feeds.length < maxFeeds) found.feeds.push(url)
}

function readMeta(tree: Tree, node: Node, found: SiteLinks): void {
  const name = attribute(tree, node, attr.name) ?? attribute(tree, node, attr.property) ?? ''
  if (!/^(?:og:)?description$/i.test(name)) return
  found.description ??= clean(attribute(tree, node, attr.content) ?? '') || undefined
}

function webUrl(href: string | undefined, base: string): string | undefined {
  const trimmed = href?.trim()
  if (!trimmed) return undefined
  const url = URL.parse(trimmed, base)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return trimmed.startsWith('#') && hashRoute(url) === undefined ? undefined : url.href
}

function hasWord(list: string | undefined, word: string): boolean {
  return list?.toLowerCase().split(/\s+/).includes(word) ?? false
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText)
}
