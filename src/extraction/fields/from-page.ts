import { absoluteUrl } from '../../content/addresses.ts'
import { imageSource } from '../../content/image-source.ts'
import { type PageMetadata, pageMetadata } from '../../content/metadata.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, isNamed, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { words } from '../vocabulary/words.ts'
import type { MaybeValue, PageContext, ReaderInput } from './extracted-value.ts'
import { coerceTexts, type ExtractedValue, type FieldReadings } from './extracted-value.ts'
import type { Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'
import { mainHeading, mainImage } from './subject.ts'

const separators = /\s+[|–—·•»:›-]\s+|\s*\|\s*/
const siteNameKeys = 'ogSiteName application-name apple-mobile-web-app-title twitter:app:name:iphone'.split(
  ' ',
)

/** Returns the name in site metadata, else the part of the title or the copyright owner that matches the host. */
function siteName(metadata: PageMetadata, url: string, lines: Lines) {
  for (const key of siteNameKeys) {
    const value = metadata[key]
    if (typeof value === 'string' && value.trim() !== '') return { name: value.trim(), score: 0.66 }
  }
  const host = hostName(url)
  const parts = String(metadata.title ?? '')
    .split(separators)
    .map((part) => part.trim())
    .filter(Boolean)
  const owners = copyrightOwners(lines)
  const matching = [...parts.toReversed(), ...owners].find((part) => isOfHost(part, host))
  if (matching !== undefined) return { name: matching, score: 0.63 }
  const name = owners[0] ?? (parts.length > 1 ? parts.at(-1) : undefined)
  return name === undefined ? undefined : { name, score: 0.4 }
}

/** Returns the registrable label of the host: `shop` for `www.shop.co.uk`. */
function hostName(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').split('.')
  const [first = '', second = ''] = labels.slice(-3, -1)
  return plain(labels.length > 2 ? (second.length <= 3 ? first : second) : (labels.at(-2) ?? ''))
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function isOfHost(part: string, host: string): boolean {
  const name = plain(part).replace(/(?:com|net|org)$/, '')
  return name.length >= 3 && host.length >= 3 && (host.includes(name) || name.includes(host))
}

const copyright =
  /(?:©|\(c\)|copyright)[\s©]*(?:\(c\)\s*)?(?:\d{4}\s*(?:[-–]\s*\d{4})?[\s,]*)?(?:by\s+)?(\p{L}[^.,|·•©\d]{1,50})/iu

function copyrightOwners({ list }: Lines): string[] {
  return list.slice(-60).flatMap(({ text }) => {
    const [, owner] = text.length < 300 ? (copyright.exec(text) ?? []) : []
    const name = owner
      ?.replace(/\s*(?:all rights|alle rechte|tous droits|todos los|tutti i|inc|ltd|llc|gmbh).*$/i, '')
      .trim()
    return name ? [name] : []
  })
}

function withoutSite(title: string, site: string | undefined): string {
  if (!site) return title
  const parts = title.split(separators).filter(Boolean)
  const isSite = (part: string | undefined) => part?.trim().toLowerCase() === site.toLowerCase()
  const [from, to] = [isSite(parts[0]) ? 1 : 0, isSite(parts.at(-1)) ? parts.length - 1 : parts.length]
  const [first, last] = [parts[from], parts[to - 1]]
  if (first === undefined || last === undefined || to <= from) return title
  return title.slice(title.indexOf(first), title.lastIndexOf(last) + last.length).trim()
}

/** Returns the heading without parts that the page title lacks: "The Salt Road" without "Hardcover, 2020". */
function headingText({ tree, list, linesBefore }: Lines, heading: Node, title: string): string {
  const line = list[linesBefore[heading] ?? list.length]
  const fullText = shownText(tree, heading)
  if (!line || line.holder !== heading || line.segments.length < 2) return fullText
  const titleWords = new Set(words(title))
  const share = (text: string) => {
    const textWords = words(text)
    return textWords.filter((word) => titleWords.has(word)).length / Math.max(1, textWords.length)
  }
  const [first = '', ...rest] = line.segments
  return share(first) > 0.9 && words(first).length > 1 && rest.every((part) => share(part) < 0.3)
    ? first
    : fullText
}

function firstCaption({ tree, weights }: Lines): string | undefined {
  for (let node = 1; node < tree.count; node += 1)
    if (tagOf(tree, node) === tag.figcaption && (weights[node] ?? 1) > 0.6) return shownText(tree, node)
  return undefined
}

function sectionAbove(lines: Lines, heading: Node | undefined): string | undefined {
  const { tree } = lines
  const crumbs = breadcrumbs(lines)
  const title = heading === undefined ? '' : shownText(tree, heading)
  const last = crumbs.filter((text) => text !== title).at(-1)
  // The first breadcrumb is the site, not a section.
  return last === crumbs[0] ? undefined : last
}

const maxNodes = 400
const breadcrumbName = /bread-?crumb/i

function breadcrumbs({ tree }: Lines): string[] {
  for (let node = 1; node < tree.count; node += 1) {
    const label = attribute(tree, node, attr['aria-label']) ?? ''
    if (!isNamed(tree, node, breadcrumbName) && !breadcrumbName.test(label)) continue
    const links: string[] = []
    for (let linkNode = node + 1; linkNode < Math.min(endOf(tree, node), node + maxNodes); linkNode += 1)
      if (tagOf(tree, linkNode) === tag.a) links.push(shownText(tree, linkNode))
    if (links.length > 0) return links.filter((text) => text !== '' && text.length < 60)
  }
  return []
}

interface Fact extends Omit<ExtractedValue, 'value' | 'text'> {
  concept: string
  text: string | undefined
}

const listConcepts = new Set<string | undefined>(['keywords', 'author', 'image', 'category'])

export function* readPageFacts({ lines, fields, page }: ReaderInput): FieldReadings {
  const facts = factsOf(lines, page)
  const depthByConcept = minDepths(fields)
  for (const field of fields) {
    const { spec, names } = field
    if (depthOf(field) > (depthByConcept.get(names.concept) ?? 0)) continue
    if (spec.kind === 'list' && !listConcepts.has(names.concept)) continue
    const sameConcept = facts.filter(({ concept }) => concept === names.concept)
    let value: MaybeValue
    for (const fact of sameConcept) value ??= readFact(fact, field, page)
    yield [field, value]
  }
}

const depthOf = ({ path }: SchemaField) => path.split('.').length

/** Page metadata describes the outermost object: the title is the name of the product, not of its manufacturer. */
function minDepths(fields: readonly SchemaField[]): Map<string | undefined, number> {
  const depthByConcept = new Map<string | undefined, number>()
  for (const field of fields) {
    const { concept } = field.names
    depthByConcept.set(concept, Math.min(depthOf(field), depthByConcept.get(concept) ?? Infinity))
  }
  return depthByConcept
}

function readFact({ text = '', ...source }: Fact, field: SchemaField, page: PageContext): MaybeValue {
  const parts = field.spec.kind === 'list' ? text.split(/\s*,\s*/).slice(0, 200) : [text]
  const value = coerceTexts(field, parts, page)
  return value === undefined ? undefined : { ...source, value, text: text.slice(0, 2000) }
}

const metadataKeys: readonly (readonly [concept: string, score: number, names: string])[] = [
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
  const imageNode = mainImage(lines, heading)
  const headingTitle = heading === undefined ? undefined : headingText(lines, heading, title)
  const imageUrl = imageNode === undefined ? undefined : imageSource(tree, imageNode)
  const site = siteName(metadata, head.canonical ?? page.url, lines)
  const titleText = withoutSite(title, site?.name)
  const candidates: Fact[] = [
    { concept: 'title', text: headingTitle, score: 0.74, node: heading, reader: 'title' },
    { concept: 'url', text: head.canonical, score: 0.72, reader: 'metadata', path: 'canonical' },
    ...metadataKeys.flatMap(([concept, score, names]) =>
      names.split(' ').map((path): Fact => {
        const reader = path.startsWith('og') ? 'open-graph' : 'metadata'
        return { concept, text: textOf(metadata, path), score, reader, path }
      }),
    ),
    { concept: 'title', text: titleText, score: 0.63, reader: 'title', path: 'title' },
    { concept: 'image', text: head.imageLink, score: 0.54, reader: 'metadata', path: 'image_src' },
    { concept: 'image', text: imageUrl, score: 0.45, reader: 'title', node: imageNode },
    { concept: 'caption', text: firstCaption(lines), score: 0.5, reader: 'title' },
    { concept: 'category', text: sectionAbove(lines, heading), score: 0.42, reader: 'title' },
    { concept: 'url', text: page.url, score: 0.36, reader: 'metadata', path: 'url' },
    { concept: 'siteName', text: site?.name, score: site?.score ?? 0, reader: 'metadata', path: 'title' },
  ]
  return candidates.flatMap((fact) => {
    const text = fact.text?.trim() ?? ''
    const isPlausible =
      fact.concept !== 'author' || (!/^https?:|\.(?:com|php)\b|^admin$/i.test(text) && text.length < 80)
    return text !== '' && isPlausible ? [{ ...fact, text }] : []
  })
}

function textOf(metadata: PageMetadata, name: string): string | undefined {
  const value = metadata[name]
  return Array.isArray(value) ? value[0] : value
}

function headFacts(tree: Tree, page: PageContext) {
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
