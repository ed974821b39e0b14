import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { csvHeader, type ExportForm } from '../../extraction/page-parts/export-document.ts'
import type { PageReader } from '../../extraction/workers/page-reader.ts'
import type { Queue } from '../../jobs/queue.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { joinBytes } from '../../platform/json/join-bytes.ts'
import { JsonText } from '../../platform/json/json.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { countChildren, nextCompleted } from '../../store/jobs/parents.ts'
import type { Store } from '../../store/schema.ts'
import { childDocument } from '../parent-status.ts'

/** Names of systems that cannot be names of files there. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
/** Control characters, marks that change the direction of what follows, and what separates or expands names. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%~$`]+/gu
/** Longer names are hard to read, and some systems take no long paths. */
const maxCharacters = 80
/** File systems take 255 bytes, of which the ending, a number and a mark of ours need some. */
const maxBytes = 255 - 32
const maxParts = 12

/** Names of files for pages, by their addresses: safe on any system, and no two alike. */
export function fileNames(ending: string): (url: string) => string {
  const used = new Set<string>()
  /** Where the search for a free number goes on: from 1 every time, ten thousand equal names would take half a minute. */
  const nextNumbers = new Map<string, number>()
  return (url) => {
    const name = nameOf(url, ending)
    const nameKey = keyOf(name)
    for (let number = nextNumbers.get(nameKey) ?? 1; ; number += 1) {
      const numbered = number === 1 ? `${name}${ending}` : `${name}-${number}${ending}`
      const key = keyOf(numbered)
      if (used.has(key)) continue
      used.add(key)
      nextNumbers.set(nameKey, number + 1)
      return numbered
    }
  }
}

/** Some systems take upper and lower case for the same. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

function nameOf(address: string, ending: string): string {
  const url = URL.parse(address)
  if (!url) return 'page'
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`
  const last = `${parts.pop() ?? 'index'}${query}${url.hash.replace('#', '-')}`
  const folders = [url.host, ...parts].slice(0, maxParts - 1).map((part) => safePart(part))
  // A folder must not have the name that a file may have.
  const apart = folders.map((part) => (part.toLowerCase().endsWith(ending) ? `${part}_` : part))
  return [...apart, withoutEnding(safePart(last), ending)].join('/')
}

const withoutEnding = (name: string, ending: string) =>
  name.toLowerCase().endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : name

function safePart(part: string): string {
  const safe = beginning(decoded(part).normalize('NFC').replaceAll(unsafe, '-'))
    // Dots at the start hide a file or lead upwards; at the end some systems drop them.
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  if (safe === '') return '_'
  return reserved.test(safe) ? `_${safe}` : safe
}

/** As much as a name may have, of whole characters. */
function beginning(text: string): string {
  let bytes = 0
  const kept: string[] = []
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes || kept.length >= maxCharacters) break
    kept.push(character)
  }
  return kept.join('')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface ZippedFile {
  name: string
  bytes: Uint8Array
}

/** Written in pieces, so that the sum over each takes no time to speak of. */
const pieceBytes = 64 * 1024

/** Files as a zip, one after the other, each taken when the one before is written: as fast as it is read. */
async function* zip(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  // The type of the package is that of streams in general; it is one of bytes.
  const output = archive.outputStream as Readable
  let current: Readable | undefined
  async function fill(): Promise<void> {
    for await (const { name, bytes } of files) {
      current = Readable.from(pieces(bytes), { objectMode: false })
      const closed = once(current, 'close')
      archive.addReadStream(current, name, { mtime, mode: 0o100_644 })
      await closed
      if (output.destroyed) return
    }
    archive.end()
  }
  const filling = fill().catch((cause) => {
    output.destroy(cause instanceof Error ? cause : new Error('The files of a zip could not be read.'))
  })
  try {
    for await (const chunk of output) yield chunk
  } finally {
    output.destroy()
    current?.destroy()
    await filling
  }
}

/** The same for all: two downloads of the same pages are the same. */
const mtime = new Date('1980-01-02T00:00:00Z')

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

export const downloadFormats = ['jsonl', 'csv', 'zip'] as const
export type DownloadFormat = (typeof downloadFormats)[number]

export interface DownloadDeps {
  store: Store
  queue: Pick<Queue, 'checkedResultOf'>
  reader: Pick<PageReader, 'export'>
}

/** The documents of a crawl or a batch as one file, made while it is read: one document at a time is in memory. */
export async function download(
  deps: DownloadDeps,
  parent: JobRow,
  { format, signal }: { format: DownloadFormat; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const documents = documentsOf(deps, parent, signal)
  if (format === 'jsonl') return lines(documents)
  const exported = (form: ExportForm) => exportAll(deps, parent, { documents, form, signal })
  if (format === 'csv') return rows(exported('csv'))
  await refuseTooMany(deps, parent)
  return zip(files(exported('markdown')))
}

/** Rows are read a few at a time: each may hold half a megabyte. */
const rowsAtOnce = 10

async function* documentsOf(
  { store, queue }: DownloadDeps,
  parent: JobRow,
  signal: AbortSignal,
): AsyncGenerator<JsonText> {
  let after: JobRow | undefined
  while (!signal.aborted) {
    const found = await nextCompleted(store.query, { parentId: parent.id, after, limit: rowsAtOnce })
    for (const row of found) yield (await childDocument(queue, row)) ?? nothing
    if (found.length < rowsAtOnce) return
    after = found.at(-1)
  }
  // What is cut must not look whole.
  signal.throwIfAborted()
}

/** A document that is not there any more keeps its place. */
const nothing = JsonText.ofBytes(Buffer.from('null'))
const lineEnd = Buffer.from('\n')

async function* lines(documents: AsyncIterable<JsonText>): AsyncGenerator<Uint8Array> {
  for await (const document of documents) {
    yield* document.chunks()
    yield lineEnd
  }
}

interface Exported {
  url: string
  text: Uint8Array | undefined
}

async function* exportAll(
  { reader }: DownloadDeps,
  parent: JobRow,
  how: { documents: AsyncIterable<JsonText>; form: ExportForm; signal: AbortSignal },
): AsyncGenerator<Exported> {
  const who = { team: parent.team_id, isBackground: true }
  for await (const document of how.documents) {
    const chunks: Uint8Array[] = []
    for await (const chunk of document.chunks()) chunks.push(chunk)
    const bytes = await joinBytes(chunks, document.size)
    yield await reader.export(bytes, how.form, { who, signal: how.signal })
  }
}

async function* rows(exported: AsyncIterable<Exported>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvHeader)
  for await (const { text } of exported) if (text) yield text
}

async function refuseTooMany({ store }: DownloadDeps, parent: JobRow): Promise<void> {
  const { most } = bounds.MAX_ZIP_FILES
  const { completed } = await countChildren(store.query, parent.id)
  if (completed <= most) return
  const message = `A zip has at most ${most} files (MAX_ZIP_FILES), and there are ${completed} pages. Ask for jsonl or csv.`
  throw new AppError('OPTION_NOT_AVAILABLE', { option: 'format', bound: 'MAX_ZIP_FILES', most }, { message })
}

const maxListed = 1000

/** Pages without Markdown are named in a file of their own. */
async function* files(exported: AsyncIterable<Exported>): AsyncGenerator<ZippedFile> {
  const nameOf = fileNames('.md')
  const without: string[] = []
  let missing = 0
  for await (const { url, text } of exported) {
    if (text) yield { name: nameOf(url), bytes: text }
    else {
      missing += 1
      if (without.length < maxListed) without.push(url)
    }
  }
  if (missing === 0) return
  const list = [`${missing} pages have no Markdown; it was not among their formats.`, ...without]
  yield { name: '_without-markdown.txt', bytes: Buffer.from(`${list.join('\n')}\n`) }
}
