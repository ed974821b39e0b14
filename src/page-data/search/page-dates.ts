import type { PageMetadata } from '../../content/metadata.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, type Tree, textOf } from '../../content/tree/tree.ts'

/** When a page was published and changed, in milliseconds since 1970, as far as it says so. */
export interface PageDates {
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
const mostScript = 200_000
const mostScripts = 20

/** Dates of structured data count before those of metadata, and those before the first time on the page. */
export function pageDates(tree: Tree, metadata: PageMetadata): PageDates & { isNewsArticle: boolean } {
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
  for (let node = 1; node < tree.count && scripts.length < mostScripts; node += 1) {
    if (tree.tags[node] !== tag.script) continue
    if (!attribute(tree, node, attr.type)?.toLowerCase().startsWith('application/ld+json')) continue
    const text = textOf(tree, node)
    if (text.length <= mostScript) scripts.push(text)
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
