import { bounds } from '../../base/bounds.ts'
import { AppError } from '../../base/errors.ts'
import { joinBytes } from '../../base/join-bytes.ts'
import { JsonText } from '../../base/json-text.ts'
import type { Queue } from '../../jobs/queue.ts'
import { csvHeader, type ExportForm } from '../../page-data/export-document.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'
import type { JobRow } from '../../store/jobs.ts'
import { countChildren, nextCompleted } from '../../store/parent-jobs.ts'
import type { Store } from '../../store/schema.ts'
import { childDocument } from '../parent-job.ts'
import { fileNames } from './file-names.ts'
import { type ZippedFile, zip } from './zip.ts'

export const downloadFormats = ['jsonl', 'csv', 'zip'] as const
export type DownloadFormat = (typeof downloadFormats)[number]

export interface DownloadNeeds {
  store: Store
  queue: Pick<Queue, 'resultOf'>
  reader: Pick<PageReader, 'export'>
}

/** The documents of a crawl or a batch as one file, made while it is read: one document at a time is in memory. */
export async function download(
  needs: DownloadNeeds,
  parent: JobRow,
  { format, signal }: { format: DownloadFormat; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const documents = documentsOf(needs, parent, signal)
  if (format === 'jsonl') return lines(documents)
  const exported = (form: ExportForm) => exportAll(needs, parent, { documents, form, signal })
  if (format === 'csv') return rows(exported('csv'))
  await refuseTooMany(needs, parent)
  return zip(files(exported('markdown')))
}

/** Rows are read a few at a time: each may hold half a megabyte. */
const rowsAtOnce = 10

async function* documentsOf(
  { store, queue }: DownloadNeeds,
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
  { reader }: DownloadNeeds,
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

async function refuseTooMany({ store }: DownloadNeeds, parent: JobRow): Promise<void> {
  const { most } = bounds.MAX_ZIP_FILES
  const { completed } = await countChildren(store.query, parent.id)
  if (completed <= most) return
  const message = `A zip has at most ${most} files (MAX_ZIP_FILES), and there are ${completed} pages. Ask for jsonl or csv.`
  throw new AppError('OPTION_NOT_AVAILABLE', { option: 'format', bound: 'MAX_ZIP_FILES', most }, { message })
}

const mostListed = 1000

/** Pages without Markdown are named in a file of their own. */
async function* files(exported: AsyncIterable<Exported>): AsyncGenerator<ZippedFile> {
  const nameOf = fileNames('.md')
  const without: string[] = []
  let missing = 0
  for await (const { url, text } of exported) {
    if (text) yield { name: nameOf(url), bytes: text }
    else {
      missing += 1
      if (without.length < mostListed) without.push(url)
    }
  }
  if (missing === 0) return
  const list = [`${missing} pages have no Markdown; it was not among their formats.`, ...without]
  yield { name: '_without-markdown.txt', bytes: Buffer.from(`${list.join('\n')}\n`) }
}
