import { dirname, posix } from 'node:path'
import { decodeXML } from 'entities'
import { readPage } from '../content/content.ts'
import { decodePercent } from '../platform/url.ts'
import { type ConvertedDocument, DocumentProblem } from './document.ts'
import { toConvertedDocument } from './finish.ts'
import { readMetadata } from './office.ts'
import { readZipDirectory, readZipEntry } from './zip.ts'

/** Converts e-books (EPUB): chapters are read like web pages, in the order of the spine. */
export async function convert(bytes: Buffer): Promise<ConvertedDocument> {
  const entries = new Map(readZipDirectory(bytes)?.map((entry) => [entry.name, entry]))
  const read = (name: string) => {
    const entry = entries.get(name)
    return entry && readZipEntry(bytes, entry)
  }
  const packagePath = /full-path="([^"]+)"/.exec(read('META-INF/container.xml')?.toString() ?? '')?.[1]
  const packageText = packagePath === undefined ? undefined : read(decodeXML(packagePath))?.toString()
  if (packagePath === undefined || packageText === undefined) {
    throw new DocumentProblem('damaged', 'The epub is damaged: it has no book inside.')
  }
  const usedLabels = new Set<string>()
  const chapters = listChapterFiles(packageText).flatMap((href) => {
    const chapter = read(posix.join(dirname(packagePath), href))
    return chapter ? [withUniqueFootnoteLabels(renderChapter(chapter), usedLabels)] : []
  })
  const metadata = readMetadata(packageText)
  const blurb = metadata.description?.replace(/<[^>]*>/g, ' ').replace(/[`*_[\]<]/g, '\\$&') ?? ''
  const parts = [blurb, ...chapters].filter((part) => part.trim() !== '')
  return toConvertedDocument(parts.join('\n\n'), { metadata })
}

function listChapterFiles(packageText: string): string[] {
  const files = new Map<string, string>()
  for (const [, attributes = ''] of packageText.matchAll(/<(?:\w+:)?item\s([^>]{0,4000})>/g)) {
    const id = getAttribute(attributes, 'id')
    const isContents = /\bnav\b/.test(getAttribute(attributes, 'properties') ?? '')
    const href = getAttribute(attributes, 'href')
    if (id !== undefined && href !== undefined && !isContents) files.set(id, decodePercent(href))
  }
  return [...packageText.matchAll(/<(?:\w+:)?itemref\s([^>]{0,1000})>/g)].flatMap(([, attributes = '']) => {
    const file = files.get(getAttribute(attributes, 'idref') ?? '')
    return file === undefined ? [] : [file]
  })
}

function getAttribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1]
  return value === undefined ? undefined : decodeXML(value)
}

const contentOptions = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

function renderChapter(bytes: Buffer): string {
  const page = {
    ...{ requestedUrl: internalUrl, url: internalUrl, status: 200, bytes, fetchedAt: 0 },
    headers: { 'content-type': 'application/xhtml+xml' },
  }
  return removeInternalLinks(readPage(page, contentOptions).markdown())
}

const internalUrl = 'https://book.invalid/'

/** Keeps only the text of links and images: the joined text has no targets, and images have no public URL. */
function removeInternalLinks(markdown: string): string {
  return markdown
    .replace(/!\[([^\]\n]{0,2000})\]\(https:\/\/book\.invalid\/[^)\s]*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/\[([^\]\n]{0,2000})\]\(https:\/\/book\.invalid\/[^)\s]*(?:\s+"[^"\n]*")?\)/g, '$1')
}

/** Each chapter counts its footnotes from 1, so a label that an earlier chapter uses gets a suffix. */
function withUniqueFootnoteLabels(markdown: string, usedLabels: Set<string>): string {
  const labels = new Map<string, string>()
  for (const [, label = ''] of markdown.matchAll(/^\[\^([^\]\s]{1,100})\]: /gm)) {
    let uniqueLabel = label
    for (let next = 2; usedLabels.has(uniqueLabel); next += 1) uniqueLabel = `${label}-${next}`
    usedLabels.add(uniqueLabel)
    if (uniqueLabel !== label) labels.set(label, uniqueLabel)
  }
  if (labels.size === 0) return markdown
  return markdown.replace(/\[\^([^\]\s]{1,100})\]/g, (reference, label) => {
    const uniqueLabel = labels.get(label)
    return uniqueLabel === undefined ? reference : `[^${uniqueLabel}]`
  })
}
