import { constants, zstdCompressSync } from 'node:zlib'
import { absoluteUrl } from '../../../content/addresses.ts'
import type { Content } from '../../../content/content.ts'
import { imageSource } from '../../../content/image-source.ts'
import { pageLinks } from '../../../content/links.ts'
import type { PageMetadata } from '../../../content/metadata.ts'
import { attr, tag } from '../../../content/tree/names.ts'
import { attribute, type Node, type Tree, textOf } from '../../../content/tree/tree.ts'

/** What a page can be found by. */
export interface SearchFields extends PageDates {
  title: string
  headings: string
  /** The main content as text. */
  text: string
  description: string
  language: string | undefined
  isNews: boolean
  pictures: PagePicture[]
  links: string[]
}

/** A page is found by its first pages of text; the rest would crowd out other pages. */
const maxTextLength = 200_000
const maxHeadings = 5000
const maxLinks = 1000

/** What others say of the page. */
export interface SearchPartOptions {
  /** When it was changed, where it does not say so itself. */
  modifiedAt?: number | undefined
}

export function searchFields(content: Content, url: string, told: SearchPartOptions = {}): SearchFields {
  const { title = '', description = '', language, 'og:type': kind } = content.metadata()
  const markdown = content.mainContent().slice(0, maxTextLength)
  const { publishedAt, modifiedAt, isNewsArticle } = pageDates(content.tree(), content.metadata())
  return {
    title,
    description,
    language,
    headings: headingsIn(markdown).slice(0, maxHeadings),
    text: plainText(markdown),
    publishedAt,
    modifiedAt: modifiedAt ?? told.modifiedAt,
    isNews: isNewsArticle || (kind === 'article' && publishedAt !== undefined),
    pictures: pagePictures(content.tree(), content.base()),
    links: pageLinks(content.tree(), { base: content.base(), pageUrl: url }).slice(0, maxLinks),
  }
}

/** Targets of links and images, whose texts stay. Bounded, so that brackets without an end cost nothing. */
const targets =
  /\]\((?:<[^<>\n]{0,4000}>|[^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000})?)(?:\s"[^"\n]{0,500}")?\)/g
/** Signs of Markdown; what stands behind a backslash is a sign of the text. */
const marks = /\\([!-/:-@[-`{-~])|[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}|!?\[/g
const lineStarts = /^[ \t]*(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|\d{1,9}[.)][ \t]|(?:```|~~~).*$)/gm
const tableLines = /^[ \t:|-]{3,}$/gm

/** Markdown → the words that a reader sees, line by line. */
export function plainText(markdown: string): string {
  return markdown
    .replace(tableLines, '')
    .replace(targets, ' ')
    .replace(lineStarts, '')
    .replace(/\|/g, ' ')
    .replace(marks, '$1')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

const headings = /^#{1,6}[ \t]+(.{1,500})$/gm

/** The texts of all headings. */
export function headingsIn(markdown: string): string {
  const found = [...markdown.matchAll(headings)].map(([, text = '']) => plainText(text))
  return found.join('\n')
}

/** When a page was published and changed, in milliseconds since 1970, as far as it says so. */
interface PageDates {
  publishedAt: number | undefined
  modifiedAt: number | undefined
}

/** By how surely they are the date of the page itself. */
const publishedNames = [
  ...['publishedTime', 'article:published', 'datePublished', 'citation_publication_date', 'parsely-pub-date'],
  ...['sailthru.date', 'pubdate', 'publish-date', 'dcTermsCreated', 'dcDateCreated', 'dcDate', 'date'],
]
const modifiedNames = ['modifiedTime', 'og:updated_time', 'dateModified', 'last-modified', 'revised']

const published = /"datePublished"\s{0,9}:\s{0,9}"([^"]{4,40})"/
const modified = /"dateModified"\s{0,9}:\s{0,9}"([^"]{4,40})"/
const newsTypes = /"@type"\s{0,9}:\s{0,9}(?:\[[^\]]{0,200})?"\w{0,20}NewsArticle"/
/** Longer ones describe a catalogue and not a page. */
const maxScript = 200_000
const maxScripts = 20

/** Dates of structured data count before those of metadata, and those before the first time on the page. */
function pageDates(tree: Tree, metadata: PageMetadata): PageDates & { isNewsArticle: boolean } {
  const scripts = linkedData(tree)
  const inScripts = (pattern: RegExp) =>
    scripts.map((text) => readDate(pattern.exec(text)?.[1])).find((date) => date !== undefined)
  const inMetadata = (names: string[]) =>
    names.map((name) => readDate(single(metadata[name]))).find((date) => date !== undefined)
  const { shown, marked } = timesOn(tree)
  return {
    publishedAt: inScripts(published) ?? inMetadata(publishedNames) ?? marked ?? shown,
    modifiedAt: inScripts(modified) ?? inMetadata(modifiedNames),
    isNewsArticle: scripts.some((text) => newsTypes.test(text)),
  }
}

function linkedData(tree: Tree): string[] {
  const scripts: string[] = []
  for (let node = 1; node < tree.count && scripts.length < maxScripts; node += 1) {
    if (tree.tags[node] !== tag.script) continue
    if (!attribute(tree, node, attr.type)?.toLowerCase().startsWith('application/ld+json')) continue
    const text = textOf(tree, node)
    if (text.length <= maxScript) scripts.push(text)
  }
  return scripts
}

/** The first time that the page shows, and the first that it calls its date. */
function timesOn(tree: Tree): { shown: number | undefined; marked: number | undefined } {
  let shown: number | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.time) continue
    const date = readDate(attribute(tree, node, attr.datetime))
    if (date === undefined) continue
    if (attribute(tree, node, attr.itemprop)?.includes('datePublished')) return { shown, marked: date }
    shown ??= date
  }
  return { shown, marked: undefined }
}

const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : value?.[0])

const written =
  /^(?:19|20)\d\d(?:[-/]\d{1,2}(?:[-/]\d{1,2}(?:[T ].{0,25})?)?)?$|^[A-Z][a-z]{2,8},? .{6,30}\d{4}|^\d{1,2} [A-Z][a-z]{2,8} \d{4}/
const earliest = Date.UTC(1980, 0)
const latest = Date.UTC(2100, 0)

/** Dates as pages write them; others are no dates of pages. */
export function readDate(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  if (!written.test(trimmed)) return undefined
  const isDay = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(trimmed)
  const date = Date.parse(
    isDay ? `${trimmed.replaceAll('/', '-').split('-').map(padded).join('-')}Z` : trimmed,
  )
  return date >= earliest && date < latest ? date : undefined
}

const padded = (part: string) => part.padStart(2, '0')

const packing = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Fields as they wait to be indexed: JSON, packed where the page was read, so that they are handed on as they are. */
export function packFields(fields: SearchFields): Uint8Array<ArrayBuffer> {
  // A copy of its own: bytes that change threads take their whole buffer with them.
  return new Uint8Array(zstdCompressSync(JSON.stringify(fields), packing))
}

export interface PagePicture {
  url: string
  /** What it shows, in the words of the page. */
  text: string
  width: number | undefined
  height: number | undefined
}

const maxImages = 50
const maxImageTextLength = 500
/** Smaller ones are decoration. */
const minSize = 32

/** The pictures of a page that say what they show, each once. */
export function pagePictures(tree: Tree, base: string): PagePicture[] {
  const pictures = new Map<string, PagePicture>()
  for (let node = 1; node < tree.count && pictures.size < maxImages; node += 1) {
    if (tree.tags[node] !== tag.img) continue
    const picture = pictureAt(tree, node, base)
    if (picture && !pictures.has(picture.url)) pictures.set(picture.url, picture)
  }
  return [...pictures.values()]
}

function pictureAt(tree: Tree, node: Node, base: string): PagePicture | undefined {
  const url = absoluteUrl(imageSource(tree, node), base)
  const width = pixels(attribute(tree, node, attr.width))
  const height = pixels(attribute(tree, node, attr.height))
  const isSmall = (width ?? minSize) < minSize || (height ?? minSize) < minSize
  if (!url || !/^https?:/.test(url) || isSmall) return undefined
  const words = attribute(tree, node, attr.alt) || attribute(tree, node, attr.title) || nameOf(url)
  return { url, text: words.replace(/\s+/g, ' ').trim().slice(0, maxImageTextLength), width, height }
}

function pixels(text: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text ?? '') ?? []
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits)
}

/** The words in the name of a file: `harbour-at-noon.jpg`. */
function nameOf(url: string): string {
  const file = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return file.replace(/\.\w{1,5}$/, '').replace(/[-_+%\d]+/g, ' ')
}
