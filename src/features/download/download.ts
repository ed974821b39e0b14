import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { csvHeader, type ExportForm } from '../../extraction/page-parts/export-document.ts'
import type { PageReader } from '../../extraction/workers/page-reader.ts'
import type { Queue } from '../../jobs/queue.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import type { JsonText } from '../../platform/json/json.ts'
import { jsonBytes } from '../../platform/json/write-json.ts'
import { decodePercent } from '../../platform/url.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { countChildren, listNextCompleted } from '../../store/jobs/parents.ts'
import type { Store } from '../../store/schema.ts'
import { childDocument, nullDocument } from '../parent-status.ts'

const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%~$`]+/gu
const maxCharacters = 80
/** File systems allow 255 bytes; the rest is for the ending, a number and our suffix. */
const maxBytes = 255 - 32
const maxParts = 12

export function fileNames(ending: string): (url: string) => string {
  const used = new Set<string>()
  /** Next number for each name. Always starting at 1 would take half a minute for ten thousand equal names. */
  const nextNumbers = new Map<string, number>()
  return (url) => {
    const name = buildName(url, ending)
    const nameKey = toKey(name)
    for (let number = nextNumbers.get(nameKey) ?? 1; ; number += 1) {
      const numbered = number === 1 ? `${name}${ending}` : `${name}-${number}${ending}`
      const key = toKey(numbered)
      if (used.has(key)) continue
      used.add(key)
      nextNumbers.set(nameKey, number + 1)
      return numbered
    }
  }
}

const toKey = (name: string) => name.normalize('NFC').toLowerCase()

function buildName(pageUrl: string, ending: string): string {
  const url = URL.parse(pageUrl)
  if (!url) return 'page'
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`
  const last = `${parts.pop() ?? 'index'}${query}${url.hash.replace('#', '-')}`
  const folders = [url.host, ...parts].slice(0, maxParts - 1).map((part) => sanitizePart(part))
  // A folder must not have a name that a file can have.
  const safeFolders = folders.map((part) => (part.toLowerCase().endsWith(ending) ? `${part}_` : part))
  return [...safeFolders, removeEnding(sanitizePart(last), ending)].join('/')
}

const removeEnding = (name: string, ending: string) =>
  name.toLowerCase().endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : name

function sanitizePart(part: string): string {
  const safe = truncateName(decodePercent(part).normalize('NFC').replaceAll(unsafeCharacters, '-'))
    // Leading dots hide a file or refer to the parent folder; some systems drop trailing dots.
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  if (safe === '') return '_'
  return reservedNames.test(safe) ? `_${safe}` : safe
}

function truncateName(text: string): string {
  let bytes = 0
  const characters: string[] = []
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes || characters.length >= maxCharacters) break
    characters.push(character)
  }
  return characters.join('')
}

interface ArchiveFile {
  name: string
  bytes: Uint8Array
}

/** Computing the checksum of one chunk must not block the event loop. */
const chunkBytes = 64 * 1024

/** Each file is read after the previous one was written, so the consumer sets the pace. */
async function* zip(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  // The package declares a generic stream, but it is a stream of bytes.
  const output = archive.outputStream as Readable
  let current: Readable | undefined
  async function writeFiles(): Promise<void> {
    for await (const { name, bytes } of files) {
      current = Readable.from(splitChunks(bytes), { objectMode: false })
      const closed = once(current, 'close')
      archive.addReadStream(current, name, { mtime, mode: 0o100_644 })
      await closed
      if (output.destroyed) return
    }
    archive.end()
  }
  const writing = writeFiles().catch((cause) => {
    output.destroy(cause instanceof Error ? cause : new Error('The files of a zip could not be read.'))
  })
  try {
    for await (const chunk of output) yield chunk
  } finally {
    output.destroy()
    current?.destroy()
    await writing
  }
}

/** Constant, so that two downloads of the same pages are identical. */
const mtime = new Date('1980-01-02T00:00:00Z')

function* splitChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes)
    yield bytes.subarray(offset, offset + chunkBytes)
}

export const downloadFormats = ['jsonl', 'csv', 'zip'] as const
export type DownloadFormat = (typeof downloadFormats)[number]

interface DownloadDeps {
  store: Store
  queue: Pick<Queue, 'checkedResultOf'>
  reader: Pick<PageReader, 'export'>
}

export async function download(
  deps: DownloadDeps,
  parent: JobRow,
  { format, signal }: { format: DownloadFormat; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const documents = readDocuments(deps, parent, signal)
  if (format === 'jsonl') return jsonLines(documents)
  const exportDocuments = (form: ExportForm) => exportAll(deps, parent, { documents, form, signal })
  if (format === 'csv') return csvRows(exportDocuments('csv'))
  const { most } = bounds.MAX_ZIP_FILES
  const { completed } = await countChildren(deps.store.query, parent.id)
  if (completed <= most) return zip(markdownFiles(exportDocuments('markdown')))
  const message = `A zip has at most ${most} files (MAX_ZIP_FILES), and there are ${completed} pages. Ask for jsonl or csv.`
  throw new AppError('OPTION_NOT_AVAILABLE', { option: 'format', bound: 'MAX_ZIP_FILES', most }, { message })
}

/** Rows are read in small batches, because each may hold half a megabyte. */
const rowsPerQuery = 10

async function* readDocuments({ store, queue }: DownloadDeps, parent: JobRow, signal: AbortSignal) {
  let after: JobRow | undefined
  while (!signal.aborted) {
    const batch = await listNextCompleted(store.query, { parentId: parent.id, after, limit: rowsPerQuery })
    for (const row of batch) yield (await childDocument(queue, row)) ?? nullDocument
    if (batch.length < rowsPerQuery) return
    after = batch.at(-1)
  }
  // An incomplete file must not look complete, so throw.
  signal.throwIfAborted()
}

const lineEnd = Buffer.from('\n')

async function* jsonLines(documents: AsyncIterable<JsonText>): AsyncGenerator<Uint8Array> {
  for await (const document of documents) {
    yield* document.chunks()
    yield lineEnd
  }
}

type ExportedPage = Awaited<ReturnType<PageReader['export']>>

async function* exportAll(
  { reader }: DownloadDeps,
  parent: JobRow,
  options: { documents: AsyncIterable<JsonText>; form: ExportForm; signal: AbortSignal },
): AsyncGenerator<ExportedPage> {
  const who = { team: parent.team_id, isBackground: true }
  for await (const document of options.documents) {
    yield await reader.export(await jsonBytes(document), options.form, { who, signal: options.signal })
  }
}

async function* csvRows(exported: AsyncIterable<ExportedPage>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvHeader)
  for await (const { text } of exported) if (text) yield text
}

const maxListed = 1000

async function* markdownFiles(exported: AsyncIterable<ExportedPage>): AsyncGenerator<ArchiveFile> {
  const getName = fileNames('.md')
  const urlsWithoutMarkdown: string[] = []
  let missingCount = 0
  for await (const { url, text } of exported) {
    if (text) yield { name: getName(url), bytes: text }
    else if (++missingCount <= maxListed) urlsWithoutMarkdown.push(url)
  }
  if (missingCount === 0) return
  const title = `${missingCount} pages have no Markdown; it was not among their formats.`
  const list = [title, ...urlsWithoutMarkdown, '']
  yield { name: '_without-markdown.txt', bytes: Buffer.from(list.join('\n')) }
}
