import { createEntryReader, type EntryPart } from './entry-reader.ts'

export interface SitemapEntry {
  kind: 'page' | 'sitemap'
  url: string
  title?: string
  description?: string
  modifiedAt?: number
}

interface SitemapReader {
  write(text: string): void
  end(): SitemapKind
}

type SitemapKind = 'urlset' | 'index' | 'rss' | 'atom' | 'text' | 'other'

const maxCharacters = 8192

export function createSitemapReader(base: string, onEntry: (entry: SitemapEntry) => void): SitemapReader {
  const emit = (entry: SitemapEntry) => {
    const url = URL.parse(entry.url, base)
    if (url && /^https?:$/.test(url.protocol) && url.href.length <= maxCharacters)
      onEntry({ ...entry, url: url.href })
  }
  let reader: SitemapReader | undefined
  let start = ''
  return {
    write(text) {
      if (reader) return reader.write(text)
      start += text
      // Buffer until a character shows whether the file is markup; leading blank lines are common.
      const firstCharacter = /^[\uFEFF\s]*(\S)/.exec(start)?.[1]
      if (firstCharacter === undefined && start.length < maxCharacters) return
      reader = firstCharacter === '<' ? createXmlReader(emit) : createLineReader(emit)
      reader.write(start.replace(/^[\uFEFF\s]+/, ''))
      start = ''
    },
    end: () => reader?.end() ?? 'other',
  }
}

const kindsByRoot = new Map<string, SitemapKind>([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['feed', 'atom'],
])

const entryNames = new Set(['url', 'sitemap', 'item', 'entry'])

function createXmlReader(emit: (entry: SitemapEntry) => void): SitemapReader {
  let entry: DraftEntry = { kind: 'page' }
  const { write, end } = createEntryReader(entryNames, {
    onStart(name) {
      entry = { kind: name === 'sitemap' ? 'sitemap' : 'page' }
    },
    onPart(part) {
      if (part.name === 'link') readLinkTag(entry, part.attributes)
      if (entryNames.has(part.parent) || part.parent === 'news') readField(entry, part)
    },
    onEnd(root) {
      if (entry.url !== undefined && kindsByRoot.has(root)) emit({ ...entry, url: entry.url })
    },
  })
  return { write, end: () => kindsByRoot.get(end().root) ?? 'other' }
}

type DraftEntry = Omit<SitemapEntry, 'url'> & { url?: string }

/** Reads a link element of Atom, whose URL is an attribute. Of several, the link to the web page is used. */
function readLinkTag(entry: DraftEntry, attributes: EntryPart['attributes']): void {
  const { href, rel = 'alternate', hreflang } = attributes
  if (href === undefined || rel !== 'alternate' || hreflang !== undefined) return
  entry.url ??= href.trim()
}

function readField(entry: DraftEntry, { name, text, attributes }: EntryPart): void {
  if (text === '') return
  if (name === 'loc' || name === 'link') entry.url ??= text
  // A guid is a URL unless declared otherwise. Of a guid and a link, the first one in the entry is used.
  else if (name === 'guid' && attributes.ispermalink !== 'false' && attributes.isPermaLink !== 'false') {
    if (/^https?:/.test(text)) entry.url ??= text
  } else if (name === 'title') entry.title ??= toPlainText(text)
  else if (name === 'description' || name === 'summary') entry.description ??= toPlainText(text)
  else if (dateNames.has(name) && text.length <= 40) {
    const time = Date.parse(text)
    if (!Number.isNaN(time)) entry.modifiedAt ??= time
  }
}

const dateNames = new Set(['lastmod', 'publication_date', 'pubdate', 'updated', 'published', 'date'])

function toPlainText(text: string): string {
  return text
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
}

function createLineReader(emit: (entry: SitemapEntry) => void): SitemapReader {
  let rest = ''
  let lines = 0
  let urls = 0
  const readLine = (line: string) => {
    const url = line.trim()
    if (url === '') return
    lines += 1
    if (!/^https?:\/\/\S+$/i.test(url)) return
    urls += 1
    emit({ kind: 'page', url })
  }
  return {
    write(text) {
      const parts = (rest + text).split(/\r\n|\n|\r/)
      rest = (parts.pop() ?? '').slice(0, maxCharacters)
      for (const line of parts) readLine(line)
    },
    end() {
      readLine(rest)
      // Prose that contains a URL is not a sitemap.
      return urls > 0 && urls * 2 >= lines ? 'text' : 'other'
    },
  }
}
