import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Store } from '../store/schema.ts'
import { claimPending, isTeamRemoval, type PendingRow, removePending } from '../store/search-pending.ts'
import { findUnindexedTeams } from '../store/teams.ts'
import type { VectorBatch } from './index/make-vectors.ts'
import { createPendingIndexWrites } from './pending-index-writes.ts'
import type { ModelProcess } from './sentence-model/model-process.ts'
import type { SearchThread } from './thread/search-thread.ts'
import type { PendingPage } from './thread/serve.ts'

export interface IndexingDeps {
  store: Store
  clock: Clock
  log: Log
  thread: SearchThread
  /** `off`: no page is indexed. Pages of an existing index still expire, and those of a team can be removed. */
  index: 'on' | 'off'
  retentionMs: number
  model: Pick<ModelProcess, 'embed'> | undefined
  /** Teams for which vectors are computed: those that have searched, or all. */
  vectors: 'on-demand' | 'always'
  /** True if an index of an earlier start may exist, which may have to be rebuilt. */
  mayRebuild: boolean
}

export type IndexablePage = Omit<PendingPage, 'expiresAt'> & { retentionMs?: number }

export type Indexing = ReturnType<typeof createIndexing>

const pagesPerBatch = 64
const claimMs = 120_000
const maxAttempts = 3
/** Time to wait for further pages of a crawl. */
const collectMs = 300
const pollMs = 30_000
const sweepMs = 3600_000
const rebuildAfterMs = 5000
const dayMs = 24 * 3600_000
const searchedWithinMs = 30 * dayMs

/** Indexes pages in the background: one batch at a time, in the index thread. */
export function createIndexing(deps: IndexingDeps) {
  const { store, clock, log, thread } = deps
  let timer: NodeJS.Timeout | undefined
  let stopPolling: (() => void) | undefined
  const stopping = new AbortController()
  const { signal } = stopping
  const { rebuild, vectors, ...work } = createWork(deps, signal)

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return work.run()
  }

  const catchUp = () => {
    rebuild.expect()
    vectors.expect()
    schedule(0)
  }

  const schedule = (afterMs: number) => {
    if (signal.aborted || timer || !stopPolling) return
    timer = setTimeout(run, afterMs).unref()
  }

  // If this process does not index pages, another process does.
  const onWritten = () => (stopPolling ? schedule(collectMs) : store.notify('indexing', ''))
  const pendingWrites = createPendingIndexWrites({ store, log, onWritten })

  return {
    /** Returns immediately, because the caller of the scrape waits for its response. */
    enqueue({ teamId, url, type, fields, fetchedAt, retentionMs = deps.retentionMs }: IndexablePage) {
      if (deps.index === 'off') return
      const times = { fetched_at: fetchedAt, expires_at: fetchedAt + retentionMs, created_at: clock.now() }
      pendingWrites.add({ team_id: teamId, url, type, fields, ...times })
    },
    /** Resolves when no page is pending. */
    async settled() {
      await pendingWrites.flush()
      await work.ended()
      await run()
    },
    removeTeam: (teamId: string) => removeTeam(deps, teamId),
    unindexed: rebuild.left,
    start() {
      const onMessage = () => {
        vectors.expect()
        schedule(collectMs)
      }
      stopPolling = startPolling(deps, { onMessage, onPoll: () => schedule(0), catchUp })
      schedule(0)
    },
    async stop() {
      await pendingWrites.flush()
      stopping.abort()
      clearTimeout(timer)
      stopPolling?.()
      await thread.stop()
      await work.ended()
    },
  }
}

/** One batch or step at a time: new pages first, then pages of an older index, then vectors. */
function createWork(deps: IndexingDeps, stopping: AbortSignal) {
  const vectors = createVectors(deps, stopping)
  const rebuild = createRebuild(deps)
  const indexBatch = createBatches(deps)
  let running: Promise<void> | undefined

  /** True if a page may have been added since the last check. */
  let hasWork = false

  async function processAll(): Promise<void> {
    while (hasWork && !stopping.aborted) {
      hasWork = false
      while (!stopping.aborted) {
        if ((await indexBatch()) > 0) vectors.expect()
        else if (!(await rebuild.step()) && !(await vectors.computeBatch())) break
      }
    }
  }

  return {
    vectors,
    rebuild,
    ended: async () => running,
    run(): Promise<void> {
      hasWork = true
      running ??= processAll()
        .catch((cause) => {
          if (!stopping.aborted) deps.log.warn({ cause }, 'pages could not be indexed; they are tried again')
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}

function startPolling(
  deps: IndexingDeps,
  { onMessage, onPoll, catchUp }: Record<'onMessage' | 'onPoll' | 'catchUp', () => void>,
): () => void {
  // The message means that pages are pending, or that a search has found pages without vectors.
  const unlisten = deps.store.listen('indexing', onMessage)
  const sweep = async () => {
    if (!mayHaveDocuments(deps)) return
    try {
      await deps.thread.ask({ kind: 'sweep', now: deps.clock.now() })
      catchUp()
    } catch (cause) {
      deps.log.warn({ cause }, 'expired pages could not be removed from the search index')
    }
  }
  const timers = [setInterval(onPoll, pollMs), setInterval(sweep, sweepMs)]
  if (deps.mayRebuild) timers.push(setTimeout(catchUp, rebuildAfterMs))
  for (const timer of timers) timer.unref()
  return () => {
    unlisten()
    for (const timer of timers) clearTimeout(timer)
  }
}

/** If no process has indexed pages, the thread, which would create an index, need not run. */
const mayHaveDocuments = ({ index, mayRebuild }: IndexingDeps) => index === 'on' || mayRebuild

async function removeTeam(deps: IndexingDeps, teamId: string): Promise<void> {
  if (mayHaveDocuments(deps)) await deps.thread.ask({ kind: 'removeTeam', teamId })
}

const vectorMs = 30_000

/** Computes vectors only after pages were indexed or searched, because the thread need not run otherwise. */
function createVectors(deps: IndexingDeps, stopping: AbortSignal) {
  const { clock, log, thread, model, vectors } = deps
  let areExpected = false
  let isObstacleLogged = false
  let afterIndex = ''

  async function embed(text: string): Promise<Uint8Array | undefined> {
    if (text === '') return new Uint8Array()
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(vectorMs)])
    const call = { who: { team: 'background', isBackground: true }, signal }
    const outcome = await model?.embed([text], call).catch(() => undefined)
    if (!outcome || 'obstacle' in outcome) {
      if (outcome && !isObstacleLogged)
        log.warn(
          { obstacle: outcome.obstacle },
          'the sentence model does not run here: search ranks by words alone',
        )
      isObstacleLogged ||= outcome !== undefined
      areExpected = false
      return undefined
    }
    // A text with which the model has failed twice gets an empty vector, instead of being retried forever.
    return 'vectors' in outcome ? Uint8Array.from(outcome.vectors[0] ?? []) : new Uint8Array()
  }

  return {
    expect() {
      areExpected = deps.index === 'on' && model !== undefined
    },
    async computeBatch(): Promise<boolean> {
      if (!areExpected) return false
      const now = clock.now()
      const searchedSince = vectors === 'always' ? 0 : now - searchedWithinMs
      const { tasks, indexId } = await thread.ask({ kind: 'claimVectors', now, searchedSince, afterIndex })
      afterIndex = indexId ?? ''
      areExpected = indexId !== undefined
      const computed: VectorBatch['computed'] = []
      for (const task of tasks) {
        const started = performance.now()
        const vector = await embed(task.text)
        if (!vector) break
        computed.push({ ...task, vector })
        // Leaves half of a core to other work.
        await sleep(performance.now() - started)
      }
      const released = tasks.slice(computed.length)
      if (tasks.length > 0) await thread.ask({ kind: 'saveVectors', computed, released })
      return areExpected
    },
  }
}

const progressMs = 60_000

function createRebuild({ log, thread, index }: IndexingDeps) {
  let isExpected = false
  let left = 0
  let loggedAt: number | undefined
  return {
    left: () => left,
    expect() {
      isExpected = index === 'on'
    },
    async step(): Promise<boolean> {
      if (!isExpected) return false
      const { unindexed, isDone, obstacle } = await thread.ask({ kind: 'rebuild' })
      if (obstacle !== undefined)
        log.warn({ cause: obstacle }, 'pgvector is installed and its index could not be created')
      left = unindexed
      isExpected = !isDone
      if (left > 0 && (loggedAt ?? 0) + progressMs < performance.now()) {
        log.info(
          { left },
          'stored pages are indexed again for full-text search; those that are left cannot be found yet',
        )
        loggedAt = performance.now()
      }
      if (left === 0 && loggedAt !== undefined) {
        log.info({}, 'all stored pages are indexed for full-text search')
        loggedAt = undefined
      }
      return isExpected
    },
  }
}

function toPendingPage({ team_id, url, type, fields, fetched_at, expires_at }: PendingRow): PendingPage {
  return { teamId: team_id, url, type, fields, fetchedAt: fetched_at, expiresAt: expires_at }
}

function createBatches(deps: IndexingDeps): () => Promise<number> {
  const { store, clock } = deps
  let afterTeam = ''
  return async () => {
    const options = { limit: pagesPerBatch, now: clock.now(), durationMs: claimMs, afterTeam }
    const rows = await claimPending(store, options)
    afterTeam = rows.at(-1)?.team_id ?? ''
    if (rows.length === 0) return 0
    const removals = new Map(
      rows.flatMap((row, position) => (isTeamRemoval(row) ? [[row.team_id, position] as const] : [])),
    )
    const failed = await removeTeams(deps, removals.keys())
    // A removal includes the pages that were queued before it.
    const pages = rows.filter(
      (row, position) => position > (removals.get(row.team_id) ?? -1) && !failed.has(row.team_id),
    )
    if (deps.index === 'on') await indexPages(deps, pages)
    const teams = pages.map(({ team_id }) => team_id)
    // A team may have been excluded since its pages were queued, and its removal may have run before they were indexed.
    for (const id of await removeTeams(deps, await findUnindexedTeams(store.query, teams))) failed.add(id)
    const done = rows.filter(({ team_id }) => !failed.has(team_id)).map(({ id }) => id)
    await removePending(store.query, done)
    return rows.length
  }
}

async function indexPages({ log, thread }: IndexingDeps, rows: PendingRow[]): Promise<void> {
  const remaining = rows.filter(({ attempts }) => attempts < maxAttempts)
  const exhausted = rows.length - remaining.length
  if (exhausted > 0)
    log.warn({ pages: exhausted }, 'pages were left out of the search index: it failed with them')
  if (remaining.length === 0) return
  const { unread } = await thread.ask({ kind: 'index', pages: remaining.map(toPendingPage) })
  if (unread > 0) log.warn({ pages: unread }, 'pages could not be read for the search index')
}

async function removeTeams(deps: IndexingDeps, ids: Iterable<string>): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const id of ids) {
    try {
      await removeTeam(deps, id)
    } catch (cause) {
      failed.add(id)
      deps.log.warn(
        { cause, team: id },
        'a team could not be removed from the search index; it is tried again',
      )
    }
  }
  return failed
}
