import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertTeamWithCredits } from '../../accounts/team-account.ts'
import { newId } from '../../platform/ids.ts'
import { type JsonText, JsonText as Text } from '../../platform/json/json.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { findJob, insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import { migrate } from '../../store/migrate.ts'
import type { Tables } from '../../store/schema.ts'
import { parentStatus } from '../parent-status.ts'
import { createJobWatch, type ParentEvent } from './watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-watch-'))
const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
let statements = 0
const query = store.query.withPlugin({
  transformQuery: ({ node }) => {
    statements += 1
    return node
  },
  transformResult: async ({ result }) => result,
})
const counted = { ...store, query }

let teamId: string
beforeAll(async () => {
  await migrate(store)
  const team = { name: 'team', credits: undefined, now: 0 }
  teamId = (await store.transaction((transaction) => insertTeamWithCredits(transaction, team))).id
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const row = (change: Partial<JobRow>): JobRow => ({
  ...{ id: newId(), team_id: teamId, key_id: null, parent_id: null, kind: 'batch_scrape', state: 'running' },
  ...{ foreground: 0, takes_slot: 0, input: '{}', target: null, origin: null, retain: 1, attempts: 1 },
  ...{ leased_by: null, lease_until: null, deadline_at: 0, created_at: 0, queued_at: 0, started_at: 0 },
  ...{ finished_at: null, ended_number: null, children_ended: 0, credits: 0, result: null },
  ...{ result_blob: null, error: null, trace: null, ...change },
})

/** Creates a parent job and a clock that advances only when `second` is called. */
async function scene() {
  const parent = row({})
  await insertJobs(store.query, [parent])
  const sleepers: (() => void)[] = []
  const clock = {
    now: () => 0,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const checkedResultOf = async (found: Pick<JobRow, 'result'>) =>
    found.result === null ? undefined : Text.ofBytes(Buffer.from(found.result))
  const deps = { store: counted, clock, queue: { checkedResultOf }, retentionHours: 1 }
  const status = async (limit: number) =>
    parentStatus(deps, (await findJob(counted.query, parent.id)) ?? parent, { skip: 0, limit })
  const jobWatch = createJobWatch(deps)
  let ended = 0
  return {
    watching: jobWatch,
    watch: (signal: AbortSignal) => jobWatch.watch({ id: parent.id, status }, signal),
    sleepers,
    async complete(count: number) {
      const children = Array.from({ length: count }, () => {
        ended += 1
        const done = { state: 'completed' as const, ended_number: ended, result: `${ended}` }
        return row({ parent_id: parent.id, kind: 'scrape', takes_slot: 1, ...done })
      })
      await insertJobs(store.query, children)
    },
    end: () =>
      store.query
        .updateTable('jobs')
        .set({ state: 'completed', finished_at: 1 })
        .where('id', '=', parent.id)
        .execute(),
    async second() {
      await expect.poll(() => sleepers.length).toBeGreaterThan(0)
      // Let all watchers start waiting before the time advances.
      for (let turn = 0; turn < 20; turn += 1) await nextTurn()
      for (const wake of sleepers.splice(0)) wake()
    },
  }
}

const textOf = async (text: JsonText) => String(await text.value())

/** Returns all events of a watcher: the type and document count, or the text of a document. */
async function collectEvents(events: AsyncGenerator<ParentEvent>): Promise<string[]> {
  const received: string[] = []
  for await (const event of events) {
    if (event.type === 'document') received.push(await textOf(event.document))
    else received.push(`${event.type} ${event.status.documents.length}`)
  }
  return received
}

beforeEach(() => {
  statements = 0
})

describe('createJobWatch', () => {
  it('reads the store once a second for a thousand watchers of one job', async () => {
    const { watching: jobWatch, watch, second: advanceSecond, complete, end } = await scene()
    const controller = new AbortController()
    const watchers = Array.from({ length: 1000 }, () => collectEvents(watch(controller.signal)))
    await advanceSecond()
    const initialStatements = statements
    // The first watcher triggers one read and all others share a second snapshot. Afterwards one poll serves all of
    // them.
    expect(initialStatements).toBeLessThanOrEqual(8)
    for (let turn = 0; turn < 3; turn += 1) await advanceSecond()
    const perPoll = (statements - initialStatements) / 3
    expect(perPoll).toBe(2)
    await complete(25)
    await advanceSecond()
    await end()
    await advanceSecond()
    const results = await Promise.all(watchers)
    const documents = Array.from({ length: 25 }, (_, index) => `${index + 1}`)
    for (const result of results) expect(result).toEqual(['catchup 0', ...documents, 'done 25'])
    expect(statements - initialStatements).toBeLessThan(30)
    expect(jobWatch.watchedJobs()).toBe(0)
  })

  it('sends each document once to watchers that come at different times', async () => {
    const { watch, second: advanceSecond, complete, end } = await scene()
    const { signal } = new AbortController()
    await complete(150)
    const early = collectEvents(watch(signal))
    await advanceSecond()
    await complete(30)
    const late = collectEvents(watch(signal))
    await advanceSecond()
    await complete(5)
    await end()
    await advanceSecond()
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`)
    expect(await early).toEqual(['catchup 100', ...numbers(101, 185), 'done 100'])
    expect(await late).toEqual(['catchup 100', ...numbers(101, 185), 'done 100'])
    expect(await collectEvents(watch(signal))).toEqual([...numbers(1, 185), 'done 100'])
  })

  it('stops polling when the last watcher leaves, even if it has read nothing', async () => {
    const { watching: jobWatch, watch, second: advanceSecond } = await scene()
    const leaving = Array.from({ length: 50 }, () => new AbortController())
    const watchers = leaving.map(({ signal }) => watch(signal))
    // Some wait for the poll, some have only received the first event, and some leave during the first read.
    for (const [index, watcher] of watchers.entries()) {
      const first = watcher.next()
      if (index % 3 === 0) leaving[index]?.abort()
      if (index % 3 === 1) first.then(() => watcher.next())
      await first
    }
    await advanceSecond()
    for (const controller of leaving) controller.abort()
    await expect.poll(() => jobWatch.watchedJobs()).toBe(0)
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    const statementsBefore = statements
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    expect(statements).toBe(statementsBefore)
  })

  it('passes a store error to all watchers', async () => {
    const { watching: jobWatch, sleepers } = await scene()
    const failing = { id: newId(), status: async () => Promise.reject(new Error('The store is away.')) }
    const { signal } = new AbortController()
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => collectEvents(jobWatch.watch(failing, signal))),
    )
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect([jobWatch.watchedJobs(), sleepers.length]).toEqual([0, 0])
  })
})
