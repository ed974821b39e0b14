import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint } from '../endpoint.ts'
import { deleteBatchScrape, getBatchScrape, postBatchScrape } from '../endpoints/batch-scrape.ts'
import { deleteCrawl, getCrawl, postCrawl } from '../endpoints/crawl.ts'
import { deleteExtract, getExtract, postExtract } from '../endpoints/extract.ts'
import { asRecord, formatDocument, formatValues, problemLine } from './document-text.ts'
import type { ToolCall, ToolResult } from './tool.ts'

export const jobKindNames = ['crawl', 'batch', 'extract'] as const
type JobKindName = (typeof jobKindNames)[number]

/** How each kind of long work is started, read and ended. */
export const jobKinds: Record<
  JobKindName,
  { start: Endpoint; read: Endpoint; end: Endpoint; hasPages: boolean }
> = {
  crawl: { start: postCrawl, read: getCrawl, end: deleteCrawl, hasPages: true },
  batch: { start: postBatchScrape, read: getBatchScrape, end: deleteBatchScrape, hasPages: true },
  extract: { start: postExtract, read: getExtract, end: deleteExtract, hasPages: false },
}

interface JobReading {
  kind: JobKindName
  id: string
  seconds: number
  skip: number
  limit: number
  most: number
}

/** Starts a job and shows what it has after the wait. */
export async function startJob(
  tool: ToolCall<unknown>,
  body: object,
  reading: Pick<JobReading, 'kind' | 'seconds' | 'most'>,
): Promise<ToolResult> {
  const { id } = asRecord(await tool.call(jobKinds[reading.kind].start, { body }))
  return formatJob(tool, { ...reading, id: String(id), skip: 0, limit: 20 })
}

/** How a job stands after the wait, and a part of its pages or its values. */
export async function formatJob(tool: ToolCall<unknown>, reading: JobReading): Promise<ToolResult> {
  const { kind, id, seconds, most } = reading
  const { read, hasPages } = jobKinds[kind]
  if (hasPages) {
    if (seconds > 0) await watchJob(tool, { read, id, seconds, query: { limit: '1' } })
    return showPages(tool, reading)
  }
  const status = await watchJob(tool, { read, id, seconds })
  const { structured, ...shown } = await formatValues(status, { most, fence: tool.fence })
  const facts = `${kind} ${id}: ${status.status}`
  const note = isUnderWay(status) ? [readOn({ id, kind, waitSeconds: 30 })] : []
  return { ...shown, text: [facts, shown.text, ...note].join('\n'), structured: { id, kind, ...structured } }
}

async function showPages({ call, fence }: ToolCall<unknown>, reading: JobReading): Promise<ToolResult> {
  const { kind, id, skip, limit, most } = reading
  const query = { skip: String(skip), limit: String(limit) }
  const status = asRecord(await call(jobKinds[kind].read, { params: { id }, query }))
  const pages: unknown[] = Array.isArray(status.data) ? status.data : []
  const shown: string[] = []
  let left = most
  for (const [index, page] of pages.entries()) {
    if (left <= 0) break
    const { text, shown: used } = await formatDocument(page, { most: left, fence })
    shown.push(`Page ${skip + index}\n${text}`)
    left -= used + 200
  }
  return {
    text: [...factsOf(reading, status), ...shown, ...notesOf(reading, status, shown.length)].join('\n\n'),
  }
}

function factsOf({ kind, id }: JobReading, status: Record<string, unknown>): string[] {
  const { completed, total, creditsUsed, error, warning } = status
  return [
    `${kind} ${id}: ${status.status}, ${completed} of ${total} pages, ${creditsUsed} credits`,
    ...problemLine('Error', error),
    ...problemLine('Warning', warning),
  ]
}

function notesOf({ kind, id, skip }: JobReading, status: Record<string, unknown>, shown: number): string[] {
  const next = skip + shown
  if (next < Number(status.completed)) return [readOn({ id, kind, skip: next })]
  if (isUnderWay(status)) return [readOn({ id, kind, skip: next, waitSeconds: 30 })]
  return []
}

function readOn(input: object): string {
  return `To read on, call job_status with ${JSON.stringify(input)}.`
}

const shortestWait = 500
const longestWait = 3000

interface Watched {
  read: Endpoint
  id: string
  seconds: number
  /** What the status is read with while it is watched: no pages. */
  query?: Record<string, string>
}

/** Reads how a job stands until it has ended or the time is over, and tells the client on the way. */
async function watchJob(
  { call, signal, progress }: Pick<ToolCall<unknown>, 'call' | 'signal' | 'progress'>,
  { read, id, seconds, query }: Watched,
): Promise<Record<string, unknown>> {
  const until = performance.now() + seconds * 1000
  for (let pause = shortestWait; ; pause = Math.min(pause * 1.5, longestWait)) {
    const status = asRecord(await call(read, { params: { id }, ...(query ? { query } : {}) }))
    const { completed = 0, total = 0 } = status
    progress(Number(completed), Number(total), `${completed} of ${total} pages, ${status.status}`)
    const left = until - performance.now()
    if (!isUnderWay(status) || left <= 0) return status
    await wait(Math.min(pause, left), undefined, { signal })
  }
}

function isUnderWay({ status }: Record<string, unknown>): boolean {
  return status === 'scraping' || status === 'processing'
}
