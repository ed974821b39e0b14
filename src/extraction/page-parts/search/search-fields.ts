import { constants, zstdCompressSync } from 'node:zlib'
import { absoluteUrl } from '../../../content/addresses.ts'
import type { Content } from '../../../content/content.ts'
import { imageSource } from '../../../content/image-source.ts'
import { pageLinks } from '../../../content/links.ts'
import type { PageMetadata } from '../../../content/metadata.ts'
import { attr, tag } from '../../../content/tree/names.ts'
import { attribute, type Node, type Tree, textOf } from '../../../content/tree/tree.ts'

export interface SearchFields extends Record<'publishedAt' | 'modifiedAt', number | undefined> {
  title: string
  headings: string
  text: string
  description: string
  language: string | undefined
  isNews: boolean
  pictures: PageImage[]
  links: string[]
}

/** A long page must not displace other pages in the results. */
const maxTextLength = 200_000
const maxHeadings = 5000
const maxLinks = 1000

export interface SearchPartOptions {
  /** Used if the page does not state one. */
  modifiedAt?: number | undefined
}

export function searchFields(content: Content, url: string, options: SearchPartOptions = {}): SearchFields {
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
    modifiedAt: modifiedAt ?? options.modifiedAt,
    isNews: isNewsArticle || (kind === 'article' && publishedAt !== undefined),
    pictures: pageImages(content.tree(), content.base()),
    links: pageLinks(content.tree(), { base: content.base(), pageUrl: url }).slice(0, maxLinks),
  }
}

/** All repetitions are bounded, so that unclosed brackets take no quadratic time. */
const linkTargets =
  /\]\((?:<[^<>\n]{0,4000}>|[^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000})?)(?:\s"[^"\n]{0,500}")?\)/g
/** A character after a backslash is literal text. */
const markdownSyntax = /\\([!-/:-@[-`{-~])|[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}|!?\[/g
const blockPrefixes = /^[ \t]*(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|\d{1,9}[.)][ \t]|(?:```|~~~).*$)/gm
const tableRules = /^[ \t:|-]{3,}$/gm

/** Keeps the lines of the visible text. */
export function plainText(markdown: string): string {
  return markdown
    .replace(tableRules, '')
    .replace(linkTargets, ' ')
    .replace(blockPrefixes, '')
    .replace(/\|/g, ' ')
    .replace(markdownSyntax, '$1')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

const headings = /^#{1,6}[ \t]+(.{1,500})$/gm

export function headingsIn(markdown: string): string {
  return [...markdown.matchAll(headings)].map(([, text = '']) => plainText(text)).join('\n')
}

/** Most reliable first. */
const publishedNames = [
  ...['publishedTime', 'article:published', 'datePublished', 'citation_publication_date', 'parsely-pub-date'],
  ...['sailthru.date', 'pubdate', 'publish-date', 'dcTermsCreated', 'dcDateCreated', 'dcDate', 'date'],
]
const modifiedNames = ['modifiedTime', 'og:updated_time', 'dateModified', 'last-modified', 'revised']

const publishedPattern = /"datePublished"\s{0,9}:\s{0,9}"([^"]{4,40})"/
const modifiedPattern = /"dateModified"\s{0,9}:\s{0,9}"([^"]{4,40})"/
const newsTypes = /"@type"\s{0,9}:\s{0,9}(?:\[[^\]]{0,200})?"\w{0,20}NewsArticle"/
/** Longer scripts usually describe a catalogue instead of the page. */
const maxScriptLength = 200_000
const maxScripts = 20

/** Dates are in structured data, else in metadata, else in the first `time` element. */
function pageDates(tree: Tree, metadata: PageMetadata) {
  const scripts = linkedData(tree)
  const inScripts = (pattern: RegExp) =>
    scripts.map((text) => readDate(pattern.exec(text)?.[1])).find((date) => date !== undefined)
  const inMetadata = (names: string[]) =>
    names.map((name) => readDate(single(metadata[name]))).find((date) => date !== undefined)
  const times = timesOn(tree)
  return {
    publishedAt: inScripts(publishedPattern) ?? inMetadata(publishedNames) ?? times.marked ?? times.shown,
    modifiedAt: inScripts(modifiedPattern) ?? inMetadata(modifiedNames),
    isNewsArticle: scripts.some((text) => newsTypes.test(text)),
  }
}

function linkedData(tree: Tree): string[] {
  const scripts: string[] = []
  for (let node = 1; node < tree.count && scripts.length < maxScripts; node += 1) {
    if (tree.tags[node] !== tag.script) continue
    if (!attribute(tree, node, attr.type)?.toLowerCase().startsWith('application/ld+json')) continue
    const text = textOf(tree, node)
    if (text.length <= maxScriptLength) scripts.push(text)
  }
  return scripts
}

/** `marked` is the first publication date. */
function timesOn(tree: Tree): { shown: number | undefined; marked: number | undefined } {
  let firstDate: number | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.time) continue
    const date = readDate(attribute(tree, node, attr.datetime))
    if (date === undefined) continue
    if (attribute(tree, node, attr.itemprop)?.includes('datePublished'))
      return { shown: firstDate, marked: date }
    firstDate ??= date
  }
  return { shown: firstDate, marked: undefined }
}

const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : value?.[0])

const datePattern =
  /^(?:19|20)\d\d(?:[-/]\d{1,2}(?:[-/]\d{1,2}(?:[T ].{0,25})?)?)?$|^[A-Z][a-z]{2,8},? .{6,30}\d{4}|^\d{1,2} [A-Z][a-z]{2,8} \d{4}/
const minDate = Date.UTC(1980, 0)
const maxDate = Date.UTC(2100, 0)

export function readDate(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  if (!datePattern.test(trimmed)) return undefined
  const isDay = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(trimmed)
  const isoDay = trimmed.replace(/[-/](\d)(?!\d)/g, '-0$1').replaceAll('/', '-')
  const date = Date.parse(isDay ? `${isoDay}Z` : trimmed)
  return date >= minDate && date < maxDate ? date : undefined
}

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
const zstdOptions = { params: { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 } }

/** Call it in the thread that read the page, so that the result can be transferred without a copy. */
export function packFields(fields: SearchFields): Uint8Array<ArrayBuffer> {
  // A transfer between threads moves the complete underlying buffer, so it must be a separate one.
  return new Uint8Array(zstdCompressSync(JSON.stringify(fields), zstdOptions))
}

export interface PageImage {
  url: string
  text: string
  width: number | undefined
  height: number | undefined
}

const maxImages = 50
const maxImageTextLength = 500
const minSize = 32

export function pageImages(tree: Tree, base: string): PageImage[] {
  const images = new Map<string, PageImage>()
  for (let node = 1; node < tree.count && images.size < maxImages; node += 1) {
    if (tree.tags[node] !== tag.img) continue
    const image = imageAt(tree, node, base)
    if (image && !images.has(image.url)) images.set(image.url, image)
  }
  return [...images.values()]
}

function imageAt(tree: Tree, node: Node, base: string): PageImage | undefined {
  const url = absoluteUrl(imageSource(tree, node), base)
  const width = pixels(attribute(tree, node, attr.width))
  const height = pixels(attribute(tree, node, attr.height))
  const isSmall = (width ?? minSize) < minSize || (height ?? minSize) < minSize
  if (!url || !/^https?:/.test(url) || isSmall) return undefined
  const description =
    attribute(tree, node, attr.alt) || attribute(tree, node, attr.title) || fileNameWords(url)
  return { url, text: description.replace(/\s+/g, ' ').trim().slice(0, maxImageTextLength), width, height }
}

function pixels(text: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text ?? '') ?? []
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits)
}

/** For example `harbour-at-noon.jpg`. */
function fileNameWords(url: string): string {
  const file = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return file.replace(/\.\w{1,5}$/, '').replace(/[-_+%\d]+/g, ' ')
}
