import { z } from 'zod'
import type { Team } from '../../accounts/team.ts'
import type { Queue } from '../../jobs/queue.ts'
import { getBalance } from '../../store/credits.ts'
import { listActivity } from '../../store/jobs/activity.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import { listChildren } from '../../store/jobs/parents.ts'
import { countCallsInWindow } from '../../store/rates.ts'
import type { Store } from '../../store/schema.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { JobTrace } from '../job-trace.ts'
import type { Deps } from '../needs.ts'

export interface ResultDocument {
  markdown?: string
  warning?: string
  metadata?: Record<string, unknown>
  json?: unknown
  links?: unknown[]
}

export type CaseReaders = ReturnType<typeof caseReaders>
export type FoundSection = Awaited<ReturnType<CaseReaders['searchDocs']>>[number]

interface CaseDeps extends Pick<Deps, 'store' | 'clock' | 'searchDocs'> {
  queue: Pick<Queue, 'resultOf'>
  jobTrace(team: Team, id: string): Promise<JobTrace>
  /** Returns the request of a crawl, which is not stored with its job. */
  crawlRequestOf(store: Store, id: string): Promise<Record<string, unknown> | undefined>
  queueStatus(team: Team): Promise<{ activeJobsInQueue: number; waitingJobsInQueue: number }>
  ratePerMinute: number
}

const anyInput = storedJson({ table: 'jobs', column: 'input' }, z.record(z.string(), z.unknown()))

const dayMs = 24 * 3600_000
const maxJobs = 100
const maxChildren = 8
const maxFailed = 3
const maxTargets = 50
const maxSections = 3
const maxPassageLength = 600
const maxDocumentSize = 2_000_000

/** Creates the functions with which the support agent reads a case. They return only data of the calling team. */
export function caseReaders({ store, clock, queue, jobTrace, ratePerMinute, ...deps }: CaseDeps) {
  return {
    trace: jobTrace,
    async recentJobs(team: Team) {
      const since = clock.now() - dayMs
      const rows = await listActivity(store.query, { teamId: team.id, since, limit: maxJobs })
      return rows
        .filter(({ kind }) => kind !== 'support')
        .map(({ created_at: createdAt, error: _, ...row }) => ({ ...row, createdAt }))
    },
    async requestOf(job: JobTrace): Promise<Record<string, unknown>> {
      if (job.kind === 'crawl') return (await deps.crawlRequestOf(store, job.id)) ?? {}
      const row = await findJob(store.query, job.id)
      return row ? anyInput.read(row.input) : {}
    },
    async documentOf(job: JobTrace): Promise<ResultDocument | undefined> {
      const row = await findJob(store.query, job.id)
      const result = row && (await queue.resultOf(row))
      if (!result || result.size > maxDocumentSize) return undefined
      const value = await result.value()
      return typeof value === 'object' && value !== null ? (value as ResultDocument) : undefined
    },
    async childrenOf(team: Team, job: JobTrace, words: string) {
      const listByState = (state: 'failed' | 'completed') =>
        listChildren(store.query, { parentId: job.id, state, skip: 0, limit: maxTargets })
      const [failed, completed] = [await listByState('failed'), await listByState('completed')]
      const targets = [...failed, ...completed].flatMap(({ target }) => target ?? [])
      const namedTargets = namedIn(words, targets)
      const takeFirst = (rows: typeof failed, limit: number) =>
        rows.toSorted((left, right) => isNamed(right) - isNamed(left)).slice(0, limit)
      const isNamed = ({ target }: { target: string | null }) => Number(namedTargets.has(target ?? ''))
      const rows = [...takeFirst(failed, maxFailed), ...takeFirst(completed, maxChildren)]
      return { pages: await Promise.all(rows.map(({ id }) => jobTrace(team, id))), targets }
    },
    async account(team: Team) {
      const { activeJobsInQueue: running, waitingJobsInQueue: waiting } = await deps.queueStatus(team)
      const minute = Math.floor(clock.now() / 60_000)
      return {
        ...{ running, waiting, maxConcurrency: team.concurrency, callsPerMinute: ratePerMinute },
        remainingCredits: await getBalance(store.query, team.id),
        callsThisMinute: await countCallsInWindow(store.query, { teamId: team.id, lane: 'work', minute }),
      }
    },
    async searchDocs(question: string) {
      const found = await deps.searchDocs(question, maxSections)
      return found.map(({ pathOrUrl, title, passages, text }) => ({
        ...{ pathOrUrl, title },
        text: (passages[0] ?? text).slice(0, maxPassageLength),
      }))
    },
  }
}

/** Returns the URLs whose last path segment contains a word of the question; empty if this is true for all URLs. */
export function namedIn(words: string, targets: readonly string[]): Set<string> {
  const questionWords = new Set(words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
  const found = targets.filter((target) => lastSegmentWords(target).some((word) => questionWords.has(word)))
  return new Set(found.length < targets.length ? found : [])
}

function lastSegmentWords(target: string): string[] {
  const path = URL.parse(target)?.pathname ?? ''
  const lastSegment = path.replace(/\/$/, '').split('/').at(-1) ?? ''
  return lastSegment.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}
