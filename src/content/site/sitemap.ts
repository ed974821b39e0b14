import { type EntryPart, entryReader } from './entry-reader.ts'

/** One address that a sitemap or a feed names. */
export interface SitemapEntry {
  /** `sitemap`: another sitemap, of an index. */
  kind: 'page' | 'sitemap'
  url: string
  title?: string
  description?: string
  /** When the page was published or last changed, in milliseconds since 1970. */
  modifiedAt?: number
}

interface SitemapReader {
  /** The next part of the file, decoded. */
  write(text: string): void
  /** Reads the rest; returns the kind of the file. */
  end(): SitemapKind
}

/** `other`: nothing in it says that it is a sitemap or a feed. */
type SitemapKind = 'urlset' | 'index' | 'rss' | 'atom' | 'text' | 'other'

/** Longer texts are no URLs. */
const maxCharacters = 8192

/** Reads sitemaps, indexes, feeds and lists of addresses part by part, in memory that does not grow with the file. */
export function sitemapReader(base: string, found: (entry: SitemapEntry) => void): SitemapReader {
  const emit = (entry: SitemapEntry) => {
    const url = URL.parse(entry.url, base)
    if (url && /^https?:$/.test(url.protocol) && url.href.length <= maxCharacters)
      found({ ...entry, url: url.href })
  }
  let reader: SitemapReader | undefined
  let start = ''
  return {
    write(text) {
      if (reader) return reader.write(text)
      start += text
      // Enough to see whether markup begins; blank lines in front are common.
      const first = /^[\uFEFF\s]*(\S)/.exec(start)?.[1]
      if (first === undefined && start.length < maxCharacters) return
      reader = first === '<' ? xmlReader(emit) : lineReader(emit)
      reader.write(start.replace(/^[\uFEFF\s]+/, ''))
      start = ''
    },
    end: () => reader?.end() ?? 'other',
  }
}

const roots = new Map<string, SitemapKind>([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['feed', 'atom'],
])

/** The element names of entries in all kinds of files. */
const holders = new Set(['url', 'sitemap', 'item', 'entry'])

function xmlReader(emit: (entry: SitemapEntry) => void): SitemapReader {
  let entry: DraftEntry = { kind: 'page' }
  const { write, end } = entryReader(holders, {
    onStart(name) {
      entry = { kind: name === 'sitemap' ? 'sitemap' : 'page' }
    },
    onPart(part) {
      if (part.name === 'link') readLinkTag(entry, part.attributes)
      if (holders.has(part.holder) || part.holder === 'news') readField(entry, part)
    },
    onEnd(root) {
      if (entry.url !== undefined && roots.has(root)) emit({ ...entry, url: entry.url })
    },
  })
  return { write, end: () => roots.get(end().root) ?? 'other' }
}

type DraftEntry = Omit<SitemapEntry, 'url'> & { url?: string }

/** In Atom the address is an attribute, and of several the one for people counts. */
function readLinkTag(entry: DraftEntry, attributes: EntryPart['attributes']): void {
  const { href, rel = 'alternate', hreflang } = attributes
  if (href === undefined || rel !== 'alternate' || hreflang !== undefined) return
  entry.url ??= href.trim()
}

function readField(entry: DraftEntry, { name, text, attributes }: EntryPart): void {
  if (text === '') return
  if (name === 'loc' || name === 'link') entry.url ??= text
  // An identifier is an address unless it says otherwise, and the link is the better one.
  else if (name === 'guid' && attributes.ispermalink !== 'false' && attributes.isPermaLink !== 'false') {
    if (/^https?:/.test(text)) entry.url ??= text
  } else if (name === 'title') entry.title ??= plainText(text)
  else if (name === 'description' || name === 'summary') entry.description ??= plainText(text)
  else if (dates.has(name)) readDate(entry, text)
}

/** As sitemaps, sitemaps of news, RSS and Atom call them. */
const dates = new Set(['lastmod', 'publication_date', 'pubdate', 'updated', 'published', 'date'])

function readDate(entry: DraftEntry, text: string): void {
  const at = text.length > 40 ? Number.NaN : Date.parse(text)
  if (!Number.isNaN(at)) entry.modifiedAt ??= at
}

/** Feeds put markup into their texts. */
function plainText(text: string): string {
  return text
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
}

/** One address per line; a line that is none is left out. */
function lineReader(emit: (entry: SitemapEntry) => void): SitemapReader {
  let rest = ''
  let lines = 0
  let addresses = 0
  const readOne = (line: string) => {
    const url = line.trim()
    if (url === '') return
    lines += 1
    if (!/^https?:\/\/\S+$/i.test(url)) return
    addresses += 1
    emit({ kind: 'page', url })
  }
  return {
    write(text) {
      const parts = (rest + text).split(/\r\n|\n|\r/)
      rest = (parts.pop() ?? '').slice(0, maxCharacters)
      for (const line of parts) readOne(line)
    },
    end() {
      readOne(rest)
      // Prose that contains a URL is not a sitemap.
      return addresses > 0 && addresses * 2 >= lines ? 'text' : 'other'
    },
  }
}
