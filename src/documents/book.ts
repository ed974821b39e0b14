import { dirname, posix } from 'node:path'
import { decodeXML } from 'entities'
import { readPage } from '../content/content.ts'
import { type ConvertedDocument, DocumentProblem } from './document.ts'
import { finish } from './finish.ts'
import { readMetadata } from './office.ts'
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts'

/** E-books: epub. Its chapters are read like web pages, in the order of the spine. */
export async function convert(bytes: Buffer): Promise<ConvertedDocument> {
  const entries = new Map(readZipDirectory(bytes)?.map((entry) => [entry.name, entry]))
  const read = (name: string) => partOf(bytes, entries, name)
  const root = /full-path="([^"]+)"/.exec(read('META-INF/container.xml')?.toString() ?? '')?.[1]
  const book = root === undefined ? undefined : read(decodeXML(root))?.toString()
  if (root === undefined || book === undefined) {
    throw new DocumentProblem('damaged', 'The epub is damaged: it has no book inside.')
  }
  const taken = new Set<string>()
  const chapters = spineOf(book).flatMap((href) => {
    const chapter = read(posix.join(dirname(root), href))
    return chapter ? [withOwnNotes(chapterMarkdown(chapter), taken)] : []
  })
  const metadata = readMetadata(book)
  const blurb = metadata.description?.replace(/<[^>]*>/g, ' ').replace(/[`*_[\]<]/g, '\\$&') ?? ''
  return finish([blurb, ...chapters].filter((part) => part.trim() !== '').join('\n\n'), { metadata })
}

function partOf(bytes: Buffer, entries: Map<string, ZipEntry>, name: string): Buffer | undefined {
  const entry = entries.get(name)
  return entry && readZipEntry(bytes, entry)
}

/** Files of the chapters in their order, without the table of contents, which only repeats their titles. */
function spineOf(book: string): string[] {
  const files = new Map<string, string>()
  for (const [, attributes = ''] of book.matchAll(/<(?:\w+:)?item\s([^>]{0,4000})>/g)) {
    const id = attribute(attributes, 'id')
    const isContents = /\bnav\b/.test(attribute(attributes, 'properties') ?? '')
    const href = attribute(attributes, 'href')
    if (id !== undefined && href !== undefined && !isContents) files.set(id, decoded(href))
  }
  return [...book.matchAll(/<(?:\w+:)?itemref\s([^>]{0,1000})>/g)].flatMap(([, attributes = '']) => {
    const file = files.get(attribute(attributes, 'idref') ?? '')
    return file === undefined ? [] : [file]
  })
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1]
  return found === undefined ? undefined : decodeXML(found)
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

const everything = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function chapterMarkdown(bytes: Buffer): string {
  const page = {
    requestedUrl: inside,
    url: inside,
    status: 200,
    headers: { 'content-type': 'application/xhtml+xml' },
    bytes,
    fetchedAt: 0,
  }
  return withoutInside(readPage(page, everything).markdown())
}

/** A URL that no book uses, to distinguish links within the book from external ones. */
const inside = 'https://book.invalid/'

/** Links between chapters have no target once the chapters are one text; images have no external URL. */
function withoutInside(markdown: string): string {
  return markdown
    .replace(/!\[([^\]\n]{0,2000})\]\(https:\/\/book\.invalid\/[^)\s]*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/\[([^\]\n]{0,2000})\]\(https:\/\/book\.invalid\/[^)\s]*(?:\s+"[^"\n]*")?\)/g, '$1')
}

/** Every chapter counts its footnotes from one; in one text, a label that an earlier chapter has gets a number. */
function withOwnNotes(markdown: string, taken: Set<string>): string {
  const labels = new Map<string, string>()
  for (const [, label = ''] of markdown.matchAll(/^\[\^([^\]\s]{1,100})\]: /gm)) {
    let own = label
    for (let next = 2; taken.has(own); next += 1) own = `${label}-${next}`
    taken.add(own)
    if (own !== label) labels.set(label, own)
  }
  if (labels.size === 0) return markdown
  return markdown.replace(/\[\^([^\]\s]{1,100})\]/g, (whole, label) => {
    const own = labels.get(label)
    return own === undefined ? whole : `[^${own}]`
  })
}
