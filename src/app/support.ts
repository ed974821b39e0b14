import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import { crawlRequestOf } from '../features/crawl/trace-facts.ts'
import type { JobTrace } from '../features/job-trace.ts'
import { ask } from '../features/support/ask.ts'
import { namedIn } from '../features/support/choose-page.ts'
import type { SupportAnswer, SupportQuestion } from '../features/support/schema.ts'
import type { AnsweredDocument } from '../features/support/support-case.ts'
import { queueStatus } from '../features/usage.ts'
import { defineJob } from '../jobs/job.ts'
import { recentJobs } from '../store/activity.ts'
import { balanceOf } from '../store/credits.ts'
import { findJob } from '../store/jobs.ts'
import { listChildren } from '../store/parent-jobs.ts'
import { callsInWindow } from '../store/rates.ts'
import { storedJson } from '../store/stored-json.ts'
import type { jobTraceUseCases } from './job-trace.ts'
import type { Bound } from './needs.ts'
import { supportTrials } from './support-trials.ts'

type SupportBound = Pick<
  Bound,
  | 'store'
  | 'clock'
  | 'kinds'
  | 'queue'
  | 'runNow'
  | 'capabilities'
  | 'searchDocs'
  | 'models'
  | 'ratePerMinute'
  | 'supportMs'
  | 'supportTrialsPerDay'
  | 'hasEnhancedProxy'
>

/** What any kind of job was asked for. */
const anyInput = storedJson({ table: 'jobs', column: 'input' }, z.record(z.string(), z.unknown()))

const day = 24 * 3600_000
const mostJobs = 100
/** Pages of a crawl or a batch that are looked at, and those of which only the address is. */
const mostChildren = 8
const mostFailed = 3
const mostTargets = 50
const mostSections = 3
const longestPassage = 600
/** A result that is longer is not read for a diagnosis. */
const longestDocument = 2_000_000

/** The agent that finds out why a call did not bring what was expected. */
export function supportUseCases(bound: SupportBound & ReturnType<typeof jobTraceUseCases>) {
  const needs = { ...bound, ...readers(bound), run: supportTrials(bound), budgetMs: bound.supportMs }
  const kind = (team: Team) =>
    defineJob<SupportQuestion, SupportAnswer>({
      kind: 'support',
      takesSlot: true,
      onRecord: ({ question, jobId }) => ({ question, jobId }),
      run: async (job, signal) => ({ credits: 0, result: await ask(needs, team, job.input, signal) }),
    })
  return {
    askSupport(team: Team, question: SupportQuestion, signal: AbortSignal): Promise<SupportAnswer> {
      const order = {
        ...{
          team,
          input: question,
          target: question.jobId ?? null,
          origin: undefined,
          retain: true,
          price: 0,
        },
        deadlineAt: bound.clock.now() + bound.supportMs,
      }
      return bound.runNow(kind(team), order, { timeoutMs: bound.supportMs, signal })
    },
  }
}

/** What the agent reads: of the calling team alone. */
function readers(bound: SupportBound & ReturnType<typeof jobTraceUseCases>) {
  const { store, clock, queue, jobTrace, ratePerMinute } = bound
  return {
    trace: jobTrace,
    async recentJobs(team: Team) {
      const since = clock.now() - day
      const rows = await recentJobs(store.query, { teamId: team.id, since, limit: mostJobs })
      return rows
        .filter(({ kind }) => kind !== 'support')
        .map(({ id, kind, state, target, created_at }) => ({
          id,
          kind,
          state,
          target,
          createdAt: created_at,
        }))
    },
    async requestOf(_: Team, job: JobTrace): Promise<Record<string, unknown>> {
      if (job.kind === 'crawl') return (await crawlRequestOf(store, job.id)) ?? {}
      const row = await findJob(store.query, job.id)
      return row ? anyInput.read(row.input) : {}
    },
    async documentOf(_: Team, job: JobTrace): Promise<AnsweredDocument | undefined> {
      const row = await findJob(store.query, job.id)
      const result = row && (await queue.resultOf(row))
      if (!result || result.size > longestDocument) return undefined
      const value = await result.value()
      return typeof value === 'object' && value !== null ? (value as AnsweredDocument) : undefined
    },
    async childrenOf(team: Team, job: JobTrace, words: string) {
      const some = (state: 'failed' | 'completed') =>
        listChildren(store.query, { parentId: job.id, state, skip: 0, limit: mostTargets })
      const [failed, completed] = [await some('failed'), await some('completed')]
      const targets = [...failed, ...completed].flatMap(({ target }) => target ?? [])
      const named = namedIn(words, targets)
      const first = (rows: typeof failed, most: number) =>
        rows.toSorted((left, right) => isNamed(right) - isNamed(left)).slice(0, most)
      const isNamed = ({ target }: { target: string | null }) => Number(named.has(target ?? ''))
      const rows = [...first(failed, mostFailed), ...first(completed, mostChildren)]
      return { pages: await Promise.all(rows.map(({ id }) => jobTrace(team, id))), targets }
    },
    async account(team: Team) {
      const { activeJobsInQueue: running, waitingJobsInQueue: waiting } = await queueStatus(bound, team)
      const minute = Math.floor(clock.now() / 60_000)
      return {
        ...{ running, waiting, maxConcurrency: team.concurrency, callsPerMinute: ratePerMinute },
        remainingCredits: await balanceOf(store.query, team.id),
        callsThisMinute: await callsInWindow(store.query, { teamId: team.id, lane: 'work', minute }),
      }
    },
    async searchDocs(question: string) {
      const found = await bound.searchDocs(question, mostSections)
      return found.map(({ pathOrUrl, title, passages, text }) => ({
        ...{ pathOrUrl, title },
        text: (passages[0] ?? text).slice(0, longestPassage),
      }))
    },
  }
}
