import { decodeXML } from 'entities'
import type { DocumentType } from './types/document-type.ts'
import { readZipDirectory, readZipEntry } from './zip.ts'

/** One part of a package as text; undefined if it does not exist. */
export function packagePart(bytes: Buffer, name: string): string | undefined {
  const entry = readZipDirectory(bytes)?.find((one) => one.name === name)
  return entry && readZipEntry(bytes, entry).toString('utf8')
}

const elements: [string, RegExp][] = [
  ['title', /<dc:title\b[^>]*>([^<]+)</],
  ['description', /<dc:description\b[^>]*>([^<]+)</],
  ['author', /<(?:dc:creator|meta:initial-creator)\b[^>]*>([^<]+)</],
  ['keywords', /<(?:cp:keywords|meta:keyword|dc:subject)\b[^>]*>([^<]+)</],
  ['language', /<dc:language\b[^>]*>([^<]+)</],
  ['dcTermsCreated', /<(?:dcterms:created|meta:creation-date)\b[^>]*>([^<]+)</],
  ['modifiedTime', /<(?:dcterms:modified|dc:date)\b[^>]*>([^<]+)</],
]

/** What an office package says about itself: title, author and the like. */
export function packageMetadata(bytes: Buffer, type: DocumentType): Record<string, string> {
  if (type.container !== 'zip') return {}
  return readMetadata(packagePart(bytes, 'docProps/core.xml') ?? packagePart(bytes, 'meta.xml') ?? '')
}

export function readMetadata(xml: string): Record<string, string> {
  const found = elements.flatMap(([name, pattern]) => {
    const text = decodeXML(pattern.exec(xml)?.[1] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
    return text === '' ? [] : [[name, text.slice(0, 2000)]]
  })
  return Object.fromEntries(found)
}
