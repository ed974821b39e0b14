import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../platform/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { deleteBatchScrape, getBatchScrape, postBatchScrape } from '../endpoints/batch-scrape.ts'
import { deleteCrawl, getCrawl, postCrawl } from '../endpoints/crawl.ts'
import { deleteExtract, getExtract, postExtract } from '../endpoints/extract.ts'
import { getParse, getScrape } from '../endpoints/scrape.ts'
import { asRecord, formatDocument, formatValues, problemLine } from './document-text.ts'
import type { ToolCall, ToolResult } from './tool.ts'

export const jobKindNames = ['crawl', 'batch', 'extract'] as const
type JobKindName = (typeof jobKindNames)[number]

export const jobKinds: Record<JobKindName, { start: Endpoint; read: Endpoint; end: Endpoint }> = {
  crawl: { start: postCrawl, read: getCrawl, end: deleteCrawl },
  batch: { start: postBatchScrape, read: getBatchScrape, end: deleteBatchScrape },
  extract: { start: postExtract, read: getExtract, end: deleteExtract },
}

interface JobView {
  kind: JobKindName
  id: string
  seconds: number
  skip: number
  limit: number
  maxCharacters: number
}

export async function startJob(
  tool: ToolCall<unknown>,
  body: object,
  view: Pick<JobView, 'kind' | 'seconds' | 'maxCharacters'>,
): Promise<ToolResult> {
  const { id } = asRecord(await tool.call(jobKinds[view.kind].start, { body }))
  return formatJob(tool, { ...view, id: String(id), skip: 0, limit: 20 })
}

export async function formatJob(tool: ToolCall<unknown>, view: JobView): Promise<ToolResult> {
  const { kind, id, seconds, maxCharacters } = view
  if (kind !== 'extract') {
    if (seconds > 0) await pollJob(tool, view)
    return formatPages(tool, view)
  }
  const status = await pollJob(tool, view)
  const { structured, ...result } = await formatValues(status, { limit: maxCharacters, fence: tool.fence })
  const summary = `${kind} ${id}: ${status.status}`
  const footer = isInProgress(status) ? [continueHint({ id, kind, waitSeconds: 30 })] : []
  return {
    ...result,
    text: [summary, result.text, ...footer].join('\n'),
    structured: { id, kind, ...structured },
  }
}

async function formatPages({ call, fence }: ToolCall<unknown>, view: JobView): Promise<ToolResult> {
  const { kind, id, skip, limit, maxCharacters } = view
  const query = { skip: String(skip), limit: String(limit) }
  const status = asRecord(await call(jobKinds[kind].read, { params: { id }, query }))
  const pages: unknown[] = Array.isArray(status.data) ? status.data : []
  const sections: string[] = []
  let remaining = maxCharacters
  for (const [index, page] of pages.entries()) {
    if (remaining <= 0) break
    const { text, shown: used } = await formatDocument(page, { limit: remaining, fence })
    sections.push(`Page ${skip + index}\n${text}`)
    remaining -= used + 200
  }
  const footer = formatFooter(view, status, sections.length)
  return { text: [...formatFacts(view, status), ...sections, ...footer].join('\n\n') }
}

function formatFacts({ kind, id }: JobView, status: Record<string, unknown>): string[] {
  const { completed, total, creditsUsed, error, warning } = status
  return [
    `${kind} ${id}: ${status.status}, ${completed} of ${total} pages, ${creditsUsed} credits`,
    ...problemLine('Error', error),
    ...problemLine('Warning', warning),
  ]
}

function formatFooter({ kind, id, skip }: JobView, status: Record<string, unknown>, shown: number): string[] {
  const next = skip + shown
  if (next < Number(status.completed)) return [continueHint({ id, kind, skip: next })]
  if (isInProgress(status)) return [continueHint({ id, kind, skip: next, waitSeconds: 30 })]
  return []
}

const continueHint = (input: object): string => `To read on, call job_status with ${JSON.stringify(input)}.`

const minPollMs = 500
const maxPollMs = 3000

async function pollJob(
  { call, signal, progress }: ToolCall<unknown>,
  { kind, id, seconds }: JobView,
): Promise<Record<string, unknown>> {
  const deadline = performance.now() + seconds * 1000
  for (let pause = minPollMs; ; pause = Math.min(pause * 1.5, maxPollMs)) {
    // The limit leaves out most pages; an extract has no query.
    const status = asRecord(await call(jobKinds[kind].read, { params: { id }, query: { limit: '1' } }))
    const { completed = 0, total = 0 } = status
    progress(Number(completed), Number(total), `${completed} of ${total} pages, ${status.status}`)
    const remainingMs = deadline - performance.now()
    if (!isInProgress(status) || remainingMs <= 0) return status
    await wait(Math.min(pause, remainingMs), undefined, { signal })
  }
}

const isInProgress = ({ status }: Record<string, unknown>) => status === 'scraping' || status === 'processing'

export async function storedDocument(call: ToolCall<unknown>['call'], id: string): Promise<unknown> {
  const params = { id }
  const response = await call(getScrape, { params }).catch((thrown) => {
    if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND' && thrown.detail.reason === undefined)
      return call(getParse, { params })
    throw thrown
  })
  return asRecord(response).data
}
