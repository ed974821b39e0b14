import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { timedStepSchema } from '../platform/trace/steps.ts'
import { listDeliveries } from '../store/deliveries.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import { countChildren, listChildren } from '../store/jobs/parents.ts'
import type { Store } from '../store/schema.ts'
import { storedJson } from '../store/stored-json.ts'
import { isoOrNull } from './present.ts'
import { delivery, toDeliveryResponse } from './webhooks/delivery.ts'

const storedSteps = storedJson({ table: 'jobs', column: 'trace' }, z.array(timedStepSchema))

const pages = z.object({
  queued: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  skipped: z.record(z.string(), z.int()).describe('URLs that a crawl skipped, by reason.'),
  errors: z
    .array(
      z.object({ code: z.string(), count: z.int(), id: z.string().describe('Id of one of these jobs.') }),
    )
    .describe('Reasons for failed pages, the most frequent first.'),
  notes: z.array(z.string()).describe('Warnings of the crawl about its site.'),
})

export const jobTrace = z
  .object({
    id: z.string(),
    kind: z.string(),
    state: z.string(),
    target: z.string().nullable(),
    parentId: z.string().nullable().describe('Crawl or batch that contains the page.'),
    attempts: z.int().describe('Number of starts.'),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    credits: z.number().describe('Charged credits, or reserved credits while the job runs.'),
    error: z
      .object({ code: z.string(), error: z.string(), detail: z.record(z.string(), z.unknown()) })
      .nullable(),
    steps: z
      .array(timedStepSchema)
      .describe('Events in order. Empty while the job runs; for a crawl, the events of its start.'),
    pages: pages.nullable().describe('Only for a crawl or a batch.'),
    deliveries: z.array(delivery).describe('Webhook deliveries of the job, newest first.'),
  })
  .meta({ id: 'JobTrace' })

const maxDeliveries = 50
const maxFailures = 1000
const maxErrors = 20

export type JobTrace = z.output<typeof jobTrace>

interface CrawlFacts extends Pick<NonNullable<JobTrace['pages']>, 'failed' | 'skipped' | 'notes'> {
  starts: string[]
}

export async function getJobTrace(
  deps: { store: Store; crawlFacts(store: Store, row: JobRow): Promise<CrawlFacts | undefined> },
  team: Team,
  id: string,
): Promise<JobTrace> {
  const { store } = deps
  if (!isUuid(id)) throw new AppError('INVALID_JOB_ID')
  const row = await findJob(store.query, id.toLowerCase())
  if (!row || row.team_id !== team.id) throw new AppError('JOB_NOT_FOUND')
  const error = readError(row.error)
  const crawl = await deps.crawlFacts(store, row)
  const filter = { teamId: team.id, jobId: row.id, limit: maxDeliveries }
  const deliveries = await listDeliveries(store.query, filter)
  return {
    ...{ id: row.id, kind: row.kind, state: row.state, target: row.target, parentId: row.parent_id },
    attempts: row.attempts,
    createdAt: new Date(row.created_at).toISOString(),
    startedAt: isoOrNull(row.started_at),
    finishedAt: isoOrNull(row.finished_at),
    credits: row.credits,
    error: error ? { code: error.code, error: error.error, detail: error.detail } : null,
    steps: [row.trace, ...(crawl?.starts ?? [])].flatMap((trace) =>
      trace === null ? [] : storedSteps.read(trace),
    ),
    pages: await getPageCounts(store, row, crawl),
    deliveries: deliveries.map(toDeliveryResponse),
  }
}

async function getPageCounts(store: Store, row: JobRow, crawl: CrawlFacts | undefined) {
  const { credits: _, ...counts } = await countChildren(store.query, row.id)
  if (!crawl && !Object.values(counts).some((count) => count > 0)) return null
  const query = { parentId: row.id, state: 'failed' as const, skip: 0, limit: maxFailures }
  const failed = await listChildren(store.query, query)
  const { starts: _starts, ...crawlPages } = crawl ?? { starts: [] }
  return { ...counts, skipped: {}, notes: [], ...crawlPages, errors: groupByCode(failed) }
}

function groupByCode(failed: JobRow[]): { code: string; count: number; id: string }[] {
  const groups = Map.groupBy(failed, ({ error }) => readError(error)?.code ?? 'INTERNAL')
  return [...groups]
    .map(([code, rows]) => ({ code, count: rows.length, id: rows[0]?.id ?? '' }))
    .sort((left, right) => right.count - left.count)
    .slice(0, maxErrors)
}
