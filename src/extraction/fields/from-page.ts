import { absoluteUrl } from '../../content/addresses.ts'
import { imageSource } from '../../content/image-source.ts'
import { type PageMetadata, pageMetadata } from '../../content/metadata.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { words } from '../vocabulary/words.ts'
import type { Found, PageContext } from './extracted-value.ts'
import type { Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'
import { mainHeading, mainPicture } from './subject.ts'

interface SiteName {
  name: string
  score: number
}

const separators = /\s+[|–—·•»:›-]\s+|\s*\|\s*/
const stated = ['ogSiteName', 'application-name', 'apple-mobile-web-app-title', 'twitter:app:name:iphone']

/** The name of the site: stated, or what its title or its copyright names and its address holds. */
function siteName(metadata: PageMetadata, url: string, lines: Lines): SiteName | undefined {
  for (const key of stated) {
    const said = metadata[key]
    if (typeof said === 'string' && said.trim() !== '') return { name: said.trim(), score: 0.66 }
  }
  const host = hostName(url)
  const parts = String(metadata.title ?? '')
    .split(separators)
    .map((part) => part.trim())
    .filter(Boolean)
  const named = [...[...parts].reverse(), ...owners(lines)]
  const ofHost = named.find((part) => isOfHost(part, host))
  if (ofHost !== undefined) return { name: ofHost, score: 0.63 }
  const [owner] = owners(lines)
  const last = parts.length > 1 ? parts.at(-1) : undefined
  const name = owner ?? last
  return name === undefined ? undefined : { name, score: 0.4 }
}

/** The part of a host that is its name: `shop` of `www.shop.co.uk`. */
function hostName(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').split('.')
  return plain(
    labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 ? (labels.at(-3) ?? '') : (labels.at(-2) ?? ''),
  )
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function isOfHost(part: string, host: string): boolean {
  const own = plain(part).replace(/(?:com|net|org)$/, '')
  return own.length >= 3 && host.length >= 3 && (host.includes(own) || own.includes(host))
}

const copyright =
  /(?:©|\(c\)|copyright)[\s©]*(?:\(c\)\s*)?(?:\d{4}\s*(?:[-–]\s*\d{4})?[\s,]*)?(?:by\s+)?(\p{L}[^.,|·•©\d]{1,50})/iu

/** Whom the lines at the end of the page name as the owner. */
function owners({ list }: Lines): string[] {
  return list.slice(-60).flatMap(({ text }) => {
    const [, owner] = text.length < 300 ? (copyright.exec(text) ?? []) : []
    const name = owner
      ?.replace(/\s*(?:all rights|alle rechte|tous droits|todos los|tutti i|inc|ltd|llc|gmbh).*$/i, '')
      .trim()
    return name ? [name] : []
  })
}

/** A title without the name of the site at its end or its beginning. */
function withoutSite(title: string, site: string | undefined): string {
  if (!site) return title
  const parts = title.split(separators).filter(Boolean)
  const isSite = (part: string | undefined) => part?.trim().toLowerCase() === site.toLowerCase()
  const [from, to] = [isSite(parts[0]) ? 1 : 0, isSite(parts.at(-1)) ? parts.length - 1 : parts.length]
  const [first, last] = [parts[from], parts[to - 1]]
  if (first === undefined || last === undefined || to <= from) return title
  return title.slice(title.indexOf(first), title.lastIndexOf(last) + last.length).trim()
}

/** The heading without what the title of the page does not name: "The Salt Road" and then "Hardcover, 2020". */
function headingText({ tree, list, before }: Lines, heading: Node, title: string): string {
  const line = list[before[heading] ?? list.length]
  const whole = shownText(tree, heading)
  if (!line || line.holder !== heading || line.segments.length < 2) return whole
  const told = new Set(words(title))
  const share = (text: string) => {
    const own = words(text)
    return own.filter((word) => told.has(word)).length / Math.max(1, own.length)
  }
  const [first = '', ...rest] = line.segments
  return share(first) > 0.9 && words(first).length > 1 && rest.every((part) => share(part) < 0.3)
    ? first
    : whole
}

/** What is written below the first picture of the content. */
function firstCaption({ tree, weights }: Lines): string | undefined {
  for (let node = 1; node < tree.count; node += 1)
    if (!isText(tree, node) && tagOf(tree, node) === tag.figcaption && (weights[node] ?? 1) > 0.6)
      return shownText(tree, node)
  return undefined
}

/** The section that a page is in: the last of the way that leads to it. */
function sectionAbove(lines: Lines, heading: Node | undefined): string | undefined {
  const { tree } = lines
  const way = wayTo(lines)
  const title = heading === undefined ? '' : shownText(tree, heading)
  const last = way.filter((text) => text !== title).at(-1)
  // The first of the way is the site.
  if (way.length > 1 && last !== undefined && last !== way[0]) return last
  return undefined
}

const maxNodes = 400

/** The links of the way from the first page of the site to this one. */
function wayTo({ tree }: Lines): string[] {
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    const called = `${attribute(tree, node, attr.class) ?? ''} ${attribute(tree, node, attr.id) ?? ''} ${attribute(tree, node, attr['aria-label']) ?? ''}`
    if (!/bread-?crumb/i.test(called)) continue
    const links: string[] = []
    for (let at = node + 1; at < Math.min(endOf(tree, node), node + maxNodes); at += 1)
      if (!isText(tree, at) && tagOf(tree, at) === tag.a) links.push(shownText(tree, at))
    if (links.length > 0) return links.filter((text) => text !== '' && text.length < 60)
  }
  return []
}

interface Fact {
  concept: string
  text: string
  score: number
  node?: Node | undefined
  reader: 'metadata' | 'open-graph' | 'title'
  path?: string
}

/** Lists that a page states about itself. */
const listed = new Set(['keywords', 'author', 'image', 'category'])

/** What the head of a page, its first heading and its first picture say. */
export function readPageFacts(
  lines: Lines,
  slots: readonly SchemaField[],
  page: PageContext,
): Map<SchemaField, Found> {
  const facts = factsOf(lines, page)
  const found = new Map<SchemaField, Found>()
  const outermost = minDepths(slots)
  for (const slot of slots) {
    const { spec, names } = slot
    if (depthOf(slot) > (outermost.get(names.concept) ?? 0)) continue
    if (spec.kind === 'list' && !listed.has(names.concept ?? '')) continue
    for (const fact of facts) {
      if (fact.concept !== names.concept) continue
      const value = foundIn(fact, slot, page)
      if (!value) continue
      found.set(slot, value)
      break
    }
  }
  return found
}

const depthOf = ({ path }: SchemaField) => path.split('.').length

/** What a page says of itself is said of the whole: of a lamp with a maker the page has the name of the lamp. */
function minDepths(slots: readonly SchemaField[]): Map<string | undefined, number> {
  const least = new Map<string | undefined, number>()
  for (const slot of slots) {
    const { concept } = slot.names
    least.set(concept, Math.min(depthOf(slot), least.get(concept) ?? Number.POSITIVE_INFINITY))
  }
  return least
}

function foundIn(
  { text, score, node, reader, path }: Fact,
  { spec, names }: SchemaField,
  page: PageContext,
): Found | undefined {
  const context = { ...page, ...names }
  const inner = spec.kind === 'list' ? spec.item : spec
  const parts = spec.kind === 'list' ? text.split(/\s*,\s*/).slice(0, 200) : [text]
  const values = parts.map((part) => coerce(inner, part, context)).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  return {
    ...{ value: spec.kind === 'list' ? values : values[0], text: text.slice(0, 2000), reader, score },
    ...(node === undefined ? {} : { node }),
    ...(path === undefined ? {} : { path }),
  }
}

/** Which metadata say what, best first, and how surely. */
const metas: readonly (readonly [concept: string, score: number, names: string])[] = [
  ['title', 0.65, 'ogTitle twitter:title'],
  ['description', 0.63, 'description ogDescription twitter:description'],
  ['image', 0.65, 'ogImage twitter:image twitter:image:src'],
  ['url', 0.63, 'ogUrl'],
  ['language', 0.72, 'language ogLocale'],
  ['siteName', 0.98, 'ogSiteName'],
  ['author', 0.56, 'author article:author parsely-author dc.creator sailthru.author'],
  ['published', 0.68, 'publishedTime article:published datePublished date dcDate parsely-pub-date'],
  ['modified', 0.68, 'modifiedTime og:updated_time'],
  ['keywords', 0.63, 'keywords news_keywords articleTag parsely-tags'],
  ['category', 0.54, 'articleSection parsely-section'],
  ['price', 0.72, 'product:price:amount og:price:amount'],
  ['currency', 0.72, 'product:price:currency og:price:currency'],
  ['availability', 0.68, 'product:availability og:availability'],
  ['brand', 0.68, 'product:brand og:brand'],
]

function factsOf(lines: Lines, page: PageContext): Fact[] {
  const { tree } = lines
  const { metadata } = pageMetadata(tree, page.base)
  const head = headFacts(tree, page)
  const title = textOf(metadata, 'title') ?? ''
  const heading = mainHeading(
    lines,
    textOf(metadata, 'ogTitle') ?? textOf(metadata, 'twitter:title') ?? title,
  )
  const picture = mainPicture(lines, heading)
  const shown = heading === undefined ? undefined : headingText(lines, heading, title)
  const source = picture === undefined ? undefined : imageSource(tree, picture)
  const site = siteName(metadata, head.canonical ?? page.url, lines)
  const seen: (Fact | (Omit<Fact, 'text'> & { text: string | undefined }))[] = [
    { concept: 'title', text: shown, score: 0.74, node: heading, reader: 'title' },
    { concept: 'url', text: head.canonical, score: 0.72, reader: 'metadata', path: 'canonical' },
    ...metas.flatMap(([concept, score, names]) =>
      names.split(' ').map((name) => metaFact(metadata, concept, score, name)),
    ),
    { concept: 'title', text: withoutSite(title, site?.name), score: 0.63, reader: 'title', path: 'title' },
    { concept: 'image', text: head.imageLink, score: 0.54, reader: 'metadata', path: 'image_src' },
    { concept: 'image', text: source, score: 0.45, reader: 'title', node: picture },
    { concept: 'caption', text: firstCaption(lines), score: 0.5, reader: 'title' },
    { concept: 'category', text: sectionAbove(lines, heading), score: 0.42, reader: 'title' },
    { concept: 'url', text: page.url, score: 0.36, reader: 'metadata', path: 'url' },
    { concept: 'siteName', text: site?.name, score: site?.score ?? 0, reader: 'metadata', path: 'title' },
  ]
  return seen.flatMap((fact) => {
    const text = fact.text?.trim()
    return text && isPlausible(fact.concept, text) ? [{ ...fact, text }] : []
  })
}

function metaFact(metadata: PageMetadata, concept: string, score: number, name: string) {
  const reader = name.startsWith('og') ? ('open-graph' as const) : ('metadata' as const)
  return { concept, text: textOf(metadata, name), score, reader, path: name }
}

function textOf(metadata: PageMetadata, name: string): string | undefined {
  const value = metadata[name]
  return Array.isArray(value) ? value[0] : value
}

function isPlausible(concept: string, text: string): boolean {
  return concept !== 'author' || (!/^https?:|\.(?:com|php)\b|^admin$/i.test(text) && text.length < 80)
}

function headFacts(
  tree: Tree,
  page: PageContext,
): { canonical: string | undefined; imageLink: string | undefined } {
  let canonical: string | undefined
  let imageLink: string | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.link) continue
    const relation = attribute(tree, node, attr.rel)?.toLowerCase()
    const href = attribute(tree, node, attr.href)
    if (relation === 'canonical') canonical ??= absoluteUrl(href, page.base)
    if (relation === 'image_src') imageLink ??= href
  }
  return { canonical, imageLink }
}
