import { Parser } from 'htmlparser2'

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

/** Longer texts are neither URLs nor titles. */
const mostCharacters = 8192

/**
 * Reads sitemaps, indexes, feeds and lists of addresses part by part, in one pass and in memory that does not grow with
 * the file. Namespaces are not looked at, as too many files name the wrong one.
 */
export function sitemapReader(base: string, found: (entry: SitemapEntry) => void): SitemapReader {
  const emit = (entry: SitemapEntry) => {
    const url = URL.parse(entry.url, base)
    if (url && /^https?:$/.test(url.protocol) && url.href.length <= mostCharacters)
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
      if (first === undefined && start.length < mostCharacters) return
      reader = first === '<' ? xmlReader(emit) : lineReader(emit)
      reader.write(start.replace(/^[\uFEFF\s]+/, ''))
      start = ''
    },
    end: () => reader?.end() ?? 'other',
  }
}

const roots: Record<string, SitemapKind> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'rss',
  rdf: 'rss',
  feed: 'atom',
}

/** The element name of an entry in each kind of file. */
const holders = new Map<string, SitemapEntry['kind']>([
  ['url', 'page'],
  ['sitemap', 'sitemap'],
  ['item', 'page'],
  ['entry', 'page'],
])

function xmlReader(emit: (entry: SitemapEntry) => void): SitemapReader {
  let kind: SitemapKind = 'other'
  let entry: Partial<SitemapEntry> & Pick<SitemapEntry, 'kind'> = { kind: 'page' }
  const path: string[] = []
  let isCutOff = false
  let text = ''
  let attributes: Record<string, string> = {}
  const parser = new Parser(
    {
      onopentag(name, attribs) {
        const local = localName(name)
        if (path.length === 0) kind = roots[local] ?? 'other'
        if (holders.has(local)) entry = { kind: holders.get(local) ?? 'page' }
        path.push(local)
        text = ''
        attributes = attribs
        if (local === 'link') readLinkTag(entry, attribs)
      },
      ontext(part) {
        if (text.length < mostCharacters) text += part
      },
      onclosetag() {
        const local = path.pop() ?? ''
        const holder = path.at(-1) ?? ''
        if (holders.has(local)) {
          if (entry.url !== undefined && kind !== 'other' && !isCutOff) emit({ ...entry, url: entry.url })
          entry = { kind: 'page' }
        } else if (holders.has(holder) || holder === 'news') {
          readField(entry, local, { text: text.trim(), attributes })
        }
        text = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (part) => parser.write(part),
    end() {
      // What closes only now was cut off, perhaps in the middle of an address.
      isCutOff = true
      parser.end()
      return kind
    },
  }
}

/** Without its prefix, and in small letters: some write `<URL>`, some `<ns0:url>`. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

/** In Atom the address is an attribute, and of several the one for people counts. */
function readLinkTag(entry: Partial<SitemapEntry>, attributes: Record<string, string>): void {
  const { href, rel = 'alternate', hreflang } = attributes
  if (href === undefined || rel !== 'alternate' || hreflang !== undefined) return
  entry.url ??= href.trim()
}

function readField(
  entry: Partial<SitemapEntry>,
  name: string,
  { text, attributes }: { text: string; attributes: Record<string, string> },
): void {
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

function readDate(entry: Partial<SitemapEntry>, text: string): void {
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
      rest = (parts.pop() ?? '').slice(0, mostCharacters)
      for (const line of parts) readOne(line)
    },
    end() {
      readOne(rest)
      // Prose that contains a URL is not a sitemap.
      return addresses > 0 && addresses * 2 >= lines ? 'text' : 'other'
    },
  }
}
