import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { endJobScenes, jobKind, jobScene } from '../../test/jobs.ts'
import { keyFile } from '../accounts/key-file.ts'
import { ensureFirstKey } from '../bootstrap/commands/first-key.ts'
import { createParentHooks } from '../bootstrap/parent-hooks.ts'
import { systemClock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { silentLog } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { diskBlobs } from '../store/blobs/disk.ts'
import { sqliteDatabase } from '../store/database/sqlite.ts'
import { findJob } from '../store/jobs/jobs.ts'
import { migrate } from '../store/migrate.ts'
import type { Store, Tables } from '../store/schema.ts'
import { findFirstTeam } from '../store/teams.ts'
import { createJobFinisher } from './finish-jobs.ts'
import { createImmediateRunner, foreground } from './foreground.ts'
import { defineJob, type JobKind, newJobRow } from './job.ts'
import { createLeaseHolder } from './lease-holder.ts'
import { removeUnusedBlobs } from './remove-blobs.ts'

afterEach(endJobScenes)

it('does not treat a job as lost if a heartbeat comes before its row is inserted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-foreground-'))
  onTestFinished(() => {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  })
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
  await migrate(store)
  await ensureFirstKey({ store, file: keyFile(folder), configuredKey: 'fc-some-key', credits: undefined })
  const team = await findFirstTeam(store.query)
  // Fakes a busy database: the insert takes longer than a heartbeat.
  const gate = Promise.withResolvers<void>()
  const slow: Store = {
    ...store,
    async transaction(work, options) {
      await gate.promise
      return store.transaction(work, options)
    },
  }
  const holder = createLeaseHolder({ store: slow, clock: systemClock, log: silentLog, leaseMs: 12_000 })
  const blobs = diskBlobs(folder)
  const deps = { store: slow, blobs, clock: systemClock, log: silentLog, holder }
  const parentHooks = createParentHooks(deps)
  const run = foreground({ ...deps, parentHooks, recordEnding: createJobFinisher(slow, parentHooks) }, 4)
  const kind = defineJob<string, string>({
    kind: 'scrape',
    takesSlot: true,
    toRecordedInput: (input) => input,
    async run(job, signal) {
      signal.throwIfAborted()
      return { credits: 0, result: job.input }
    },
  })
  const order = {
    team: {
      ...{ id: team?.id ?? '', name: 'default', keyId: null, concurrency: 4 },
      ...{ zeroRetention: false, isOperator: false },
    },
    ...{ input: 'done', target: null, origin: undefined, retain: true, price: 0 },
    deadlineAt: Date.now() + 60_000,
  }
  const result = run(kind, order, { timeoutMs: 60_000, signal: new AbortController().signal })
  await sleep(20)
  vi.advanceTimersByTime(4000)
  await sleep(20)
  gate.resolve()
  expect(await result).toBe('done')
  holder.stop()
  await store.close()
})

async function runImmediate(
  runImmediately: JobKind<string, string>['runImmediately'],
  { balance = 100, retain = true } = {},
) {
  const scene = await jobScene()
  const storedKeys = new Set<string>()
  const blobs: Blobs = {
    ...scene.deps.blobs,
    async put(start, bytes) {
      const key = await scene.deps.blobs.put(start, bytes)
      storedKeys.add(key)
      return key
    },
    async delete(key) {
      await scene.deps.blobs.delete(key)
      storedKeys.delete(key)
    },
  }
  const order = scene.order(await scene.team('team', { balance }), 'page', { retain })
  const kind = jobKind(runImmediately ? { runImmediately } : {})
  const row = { ...newJobRow(kind, order, scene.time.now), foreground: 1, input: '"page"' }
  const run = createImmediateRunner({ ...scene.deps, blobs })
  const outcome = run({ row, kind, request: order }, new AbortController().signal)
  const removeUnused = () => removeUnusedBlobs({ ...scene.deps, blobs })
  return { outcome, kept: storedKeys, removeUnused, record: () => findJob(scene.store.query, row.id) }
}

const largeResult = 'x'.repeat(600 * 1024)

describe('createImmediateRunner', () => {
  it('returns undefined without a row if the kind has no immediate outcome', async () => {
    const { outcome, record } = await runImmediate(undefined)
    expect(await outcome).toBeUndefined()
    expect(await record()).toBeUndefined()
  })

  it('returns, records and charges the outcome', async () => {
    const { outcome, record } = await runImmediate(async ({ input }) => ({
      credits: 3,
      result: `a ${input}`,
    }))
    expect(await outcome).toEqual({ credits: 3, result: 'a page' })
    expect(await record()).toMatchObject({ state: 'completed', credits: 3, result: '"a page"', attempts: 1 })
  })

  it('records an outcome with an error', async () => {
    const { outcome, record } = await runImmediate(() =>
      Promise.reject(new AppError('SCRAPE_NO_CACHED_DATA')),
    )
    expect(await outcome).toMatchObject({ credits: 0, error: { code: 'SCRAPE_NO_CACHED_DATA' } })
    expect(await record()).toMatchObject({ state: 'failed', credits: 0, result: null })
  })

  it('stores no input and no result without retention', async () => {
    const { outcome, record } = await runImmediate(async () => ({ credits: 1, result: 'secret' }), {
      retain: false,
    })
    expect(await outcome).toMatchObject({ result: 'secret' })
    expect(await record()).toMatchObject({ state: 'completed', input: '{}', result: null, target: null })
  })

  it('stores a large result as a blob', async () => {
    const {
      outcome,
      kept: storedKeys,
      record,
    } = await runImmediate(async () => ({ credits: 5, result: largeResult }))
    await outcome
    const { result, result_blob } = (await record()) ?? expect.unreachable()
    expect([result, new Set([result_blob])]).toEqual([null, storedKeys])
  })

  it('throws CREDITS_EXHAUSTED without a row or a blob if the team cannot pay', async () => {
    const result = await runImmediate(async () => ({ credits: 5, result: largeResult }), { balance: 4 })
    const { outcome, kept: storedKeys, record, removeUnused } = result
    await expect(outcome).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    await removeUnused()
    expect(await record()).toBeUndefined()
    expect(storedKeys).toEqual(new Set())
  })
})
