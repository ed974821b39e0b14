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
import { namedIn } from './choose.ts'
import type { AnsweredDocument } from './support-case.ts'

export interface CaseDeps extends Pick<Deps, 'store' | 'clock' | 'searchDocs'> {
  queue: Pick<Queue, 'resultOf'>
  jobTrace(team: Team, id: string): Promise<JobTrace>
  /** Returns the request of a crawl, which is not stored with its job. */
  crawlRequestOf(store: Store, id: string): Promise<Record<string, unknown> | undefined>
  queueStatus(team: Team): Promise<{ activeJobsInQueue: number; waitingJobsInQueue: number }>
  ratePerMinute: number
}

/** Input of a job of any kind. */
const anyInput = storedJson({ table: 'jobs', column: 'input' }, z.record(z.string(), z.unknown()))

const dayMs = 24 * 3600_000
const maxJobs = 100
/** Maximum completed and failed pages of a crawl or a batch that are read. */
const maxChildren = 8
const maxFailed = 3
/** Maximum URLs that are listed, by state. */
const maxTargets = 50
const maxSections = 3
const maxPassageLength = 600
/** Maximum size of a result. Larger results are not read for a diagnosis. */
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
    async requestOf(_: Team, job: JobTrace): Promise<Record<string, unknown>> {
      if (job.kind === 'crawl') return (await deps.crawlRequestOf(store, job.id)) ?? {}
      const row = await findJob(store.query, job.id)
      return row ? anyInput.read(row.input) : {}
    },
    async documentOf(_: Team, job: JobTrace): Promise<AnsweredDocument | undefined> {
      const row = await findJob(store.query, job.id)
      const result = row && (await queue.resultOf(row))
      if (!result || result.size > maxDocumentSize) return undefined
      const value = await result.value()
      return typeof value === 'object' && value !== null ? (value as AnsweredDocument) : undefined
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
