import { type Document, toDocument } from '@firecrawl/anydoc'
import { decodeXML } from 'entities'
import { codeOf } from '../platform/errors.ts'
import { createEncryptedProblem, DocumentProblem } from './document.ts'
import type { DocumentType } from './types/document-type.ts'
import { readZipDirectory, readZipEntry } from './zip.ts'

/** The library may have another name for the format of `type`. */
export async function readOffice(bytes: Buffer, type: string, format = type): Promise<Document> {
  try {
    // The enum of the library exists only in its types.
    return await toDocument(bytes, format as Parameters<typeof toDocument>[1])
  } catch (thrown) {
    const code = codeOf(thrown)
    const reason = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 200)
    if (code === 'encrypted') throw createEncryptedProblem(type)
    if (code === 'resourceLimit')
      throw new DocumentProblem('limit', `The ${type} exceeds a size limit: ${reason}`)
    throw new DocumentProblem('damaged', `The ${type} is damaged and could not be read: ${reason}`)
  }
}

export function readPackagePart(bytes: Buffer, name: string): string | undefined {
  const entry = readZipDirectory(bytes)?.find((candidate) => candidate.name === name)
  return entry && readZipEntry(bytes, entry).toString('utf8')
}

const metadataElements: [string, RegExp][] = [
  ['title', /<dc:title\b[^>]*>([^<]+)</],
  ['description', /<dc:description\b[^>]*>([^<]+)</],
  ['author', /<(?:dc:creator|meta:initial-creator)\b[^>]*>([^<]+)</],
  ['keywords', /<(?:cp:keywords|meta:keyword|dc:subject)\b[^>]*>([^<]+)</],
  ['language', /<dc:language\b[^>]*>([^<]+)</],
  ['dcTermsCreated', /<(?:dcterms:created|meta:creation-date)\b[^>]*>([^<]+)</],
  ['modifiedTime', /<(?:dcterms:modified|dc:date)\b[^>]*>([^<]+)</],
]

export function readPackageMetadata(bytes: Buffer, type: DocumentType): Record<string, string> {
  if (type.container !== 'zip') return {}
  return readMetadata(readPackagePart(bytes, 'docProps/core.xml') ?? readPackagePart(bytes, 'meta.xml') ?? '')
}

export function readMetadata(xml: string): Record<string, string> {
  const entries = metadataElements.flatMap(([name, pattern]) => {
    const text = decodeXML(pattern.exec(xml)?.[1] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
    return text === '' ? [] : [[name, text.slice(0, 2000)]]
  })
  return Object.fromEntries(entries)
}
