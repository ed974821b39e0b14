import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../store/schema.ts'
import { claimPending, type NewPending, type PendingRow, removePending } from '../store/search-pending.ts'
import { pendingNotes } from './pending-notes.ts'
import type { PendingPage } from './thread/messages.ts'
import type { SearchThread } from './thread/search-thread.ts'

export interface IndexingNeeds {
  store: Store
  clock: Clock
  log: Log
  thread: SearchThread
  /** How long a page is kept. */
  keptMs: number
}

/** A page that was kept, with what it can be found by. */
export type OfferedPage = Omit<PendingPage, 'expiresAt'> & {
  /** How long it is kept; undefined: as long as pages are. */
  keptMs?: number
}

export interface Indexing {
  /** Notes a page that was kept. Takes no time, as the page is on its way to its caller. */
  offer(page: OfferedPage): void
  /** Resolves when nothing waits any more, neither to be indexed nor for its vector. */
  settled(): Promise<void>
  /** Removes all that a team could find. */
  forget(teamId: string): Promise<void>
  /** Looks by itself for pages that other processes noted, or an earlier one left. */
  start(): void
  stop(): Promise<void>
}

/** Pages that are indexed together: many share their words, and each word is written once. */
const together = 64
const claimMs = 120_000
const mostAttempts = 3
const isSpent = ({ attempts }: PendingRow) => attempts >= mostAttempts
/** Waiting this long collects the pages of a crawl. */
const collectMs = 300
const lookMs = 30_000
const sweepMs = 3600_000

/** Indexes pages behind the back of everybody: one batch at a time, in the thread of the index. */
export function createIndexing({ store, clock, log, thread, keptMs }: IndexingNeeds): Indexing {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Ends what has begun with the start; undefined before. */
  let stopLooking: (() => void) | undefined
  let isStopped = false
  const vectors = createVectors({ clock, log, thread })
  const indexSome = createBatches({ store, clock, log, thread })

  /** Vectors are made where no page waits. */
  async function indexAll(): Promise<void> {
    while (!isStopped) {
      if ((await indexSome()) > 0) vectors.expect()
      else if (!(await vectors.makeSome())) return
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running ??= indexAll()
      .catch((cause) => {
        if (!isStopped) log.warn({ cause }, 'pages could not be indexed; they are tried again')
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  const sweep = async () => {
    if (!(await sweepIndex({ clock, log, thread }))) return
    // What an earlier process left is made up for now, as the thread is there.
    vectors.expect()
    soon(0)
  }

  const soon = (afterMs: number) => {
    if (isStopped || timer || !stopLooking) return
    timer = setTimeout(run, afterMs).unref()
  }

  // Where this process does not index, another one does.
  const onWritten = () => (stopLooking ? soon(collectMs) : store.notify('indexing', ''))
  const notes = pendingNotes({ store, log, onWritten })

  return {
    offer(page) {
      notes.add(rowOf(page, { keptMs, now: clock.now() }))
    },
    async settled() {
      await notes.flush()
      await running
      await run()
    },
    forget: async (teamId) => void (await thread.ask({ kind: 'forget', teamId })),
    start() {
      const unlisten = store.listen('indexing', () => soon(collectMs))
      const timers = [setInterval(() => soon(0), lookMs).unref(), setInterval(sweep, sweepMs).unref()]
      stopLooking = () => {
        unlisten()
        for (const each of timers) clearInterval(each)
      }
      soon(0)
    },
    async stop() {
      await notes.flush()
      isStopped = true
      clearTimeout(timer)
      stopLooking?.()
      await thread.stop()
      await running
    },
  }
}

/** Removes what has expired; false where that failed. */
async function sweepIndex({ clock, log, thread }: Pick<IndexingNeeds, 'clock' | 'log' | 'thread'>) {
  try {
    await thread.ask({ kind: 'sweep', now: clock.now() })
    return true
  } catch (cause) {
    log.warn({ cause }, 'what has expired could not be removed from the search index')
    return false
  }
}

/** Asks for vectors only after something was indexed: the thread need not be there otherwise. */
function createVectors({ clock, log, thread }: Pick<IndexingNeeds, 'clock' | 'log' | 'thread'>) {
  let areExpected = false
  let isObstacleKnown = false
  return {
    expect() {
      areExpected = true
    },
    /** Answers whether there may be more to make. */
    async makeSome(): Promise<boolean> {
      if (!areExpected) return false
      const { isDone, obstacle } = await thread.ask({ kind: 'embed', now: clock.now() })
      areExpected = !isDone
      if (obstacle !== undefined && !isObstacleKnown) {
        isObstacleKnown = true
        log.warn({ obstacle }, 'the sentence model does not run here: search ranks by words alone')
      }
      return areExpected
    },
  }
}

function rowOf(
  { teamId, url, type, fields, fetchedAt, keptMs: own }: OfferedPage,
  { keptMs, now }: { keptMs: number; now: number },
): NewPending {
  const times = { fetched_at: fetchedAt, expires_at: fetchedAt + (own ?? keptMs), created_at: now }
  return { team_id: teamId, url, type, fields, ...times }
}

function pageOf({ team_id, url, type, fields, fetched_at, expires_at }: PendingRow): PendingPage {
  return { teamId: team_id, url, type, fields, fetchedAt: fetched_at, expiresAt: expires_at }
}

/** Indexes pages that wait, some at a time; resolves to how many there were. */
function createBatches({ store, clock, log, thread }: Omit<IndexingNeeds, 'keptMs'>): () => Promise<number> {
  let afterTeam = ''
  return async () => {
    const options = { most: together, now: clock.now(), untilMs: claimMs, afterTeam }
    const rows = await claimPending(store, options)
    afterTeam = rows.at(-1)?.team_id ?? ''
    if (rows.length === 0) return 0
    const [spent, fresh] = [rows.filter(isSpent), rows.filter((row) => !isSpent(row))]
    if (spent.length > 0)
      log.warn({ pages: spent.length }, 'pages were left out of the search index: it failed with them')
    const { unread } = await thread.ask({ kind: 'index', pages: fresh.map(pageOf) })
    if (unread > 0) log.warn({ pages: unread }, 'pages could not be read for the search index')
    const ids = rows.map(({ id }) => id)
    await removePending(store.query, ids)
    return rows.length
  }
}
