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

it('is not taken for lost by a heartbeat that comes before its record is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-foreground-'))
  onTestFinished(() => {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  })
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
  await migrate(store)
  await ensureFirstKey({ store, file: keyFile(folder), given: 'fc-some-key', credits: undefined })
  const team = await findFirstTeam(store.query)
  // A database that is busy: the record takes longer than a heartbeat.
  const opened = Promise.withResolvers<void>()
  const slow: Store = {
    ...store,
    async transaction(work, options) {
      await opened.promise
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
    onRecord: (input) => input,
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
  opened.resolve()
  expect(await result).toBe('done')
  holder.stop()
  await store.close()
})

async function ask(atOnce: JobKind<string, string>['atOnce'], { balance = 100, retain = true } = {}) {
  const scene = await jobScene()
  const kept = new Set<string>()
  const blobs: Blobs = {
    ...scene.deps.blobs,
    async put(start, bytes) {
      const key = await scene.deps.blobs.put(start, bytes)
      kept.add(key)
      return key
    },
    async delete(key) {
      await scene.deps.blobs.delete(key)
      kept.delete(key)
    },
  }
  const order = scene.order(await scene.team('team', { balance }), 'page', { retain })
  const kind = jobKind(atOnce ? { atOnce } : {})
  const row = { ...newJobRow(kind, order, scene.time.now), foreground: 1, input: '"page"' }
  const answer = createImmediateRunner({ ...scene.deps, blobs })
  const outcome = answer({ row, kind, order }, new AbortController().signal)
  const removeUnused = () => removeUnusedBlobs({ ...scene.deps, blobs })
  return { outcome, kept, removeUnused, record: () => findJob(scene.store.query, row.id) }
}

const large = 'x'.repeat(600 * 1024)

describe('a job whose outcome may be at hand', () => {
  it('has to be run where its kind has no such thing, and is not on record yet', async () => {
    const { outcome, record } = await ask(undefined)
    expect(await outcome).toBeUndefined()
    expect(await record()).toBeUndefined()
  })

  it('is answered, on record as completed and charged', async () => {
    const { outcome, record } = await ask(async ({ input }) => ({ credits: 3, result: `a ${input}` }))
    expect(await outcome).toEqual({ credits: 3, result: 'a page' })
    expect(await record()).toMatchObject({ state: 'completed', credits: 3, result: '"a page"', attempts: 1 })
  })

  it('is on record with the error that it ended with', async () => {
    const { outcome, record } = await ask(() => Promise.reject(new AppError('SCRAPE_NO_CACHED_DATA')))
    expect(await outcome).toMatchObject({ credits: 0, error: { code: 'SCRAPE_NO_CACHED_DATA' } })
    expect(await record()).toMatchObject({ state: 'failed', credits: 0, result: null })
  })

  it('leaves nothing of what it was about where nothing may stay', async () => {
    const { outcome, record } = await ask(async () => ({ credits: 1, result: 'secret' }), { retain: false })
    expect(await outcome).toMatchObject({ result: 'secret' })
    expect(await record()).toMatchObject({ state: 'completed', input: '{}', result: null, target: null })
  })

  it('has a large result in a blob', async () => {
    const { outcome, kept, record } = await ask(async () => ({ credits: 5, result: large }))
    await outcome
    const { result, result_blob } = (await record()) ?? expect.unreachable()
    expect([result, new Set([result_blob])]).toEqual([null, kept])
  })

  it('is refused where the team cannot pay, and leaves neither a record nor a blob', async () => {
    const asked = await ask(async () => ({ credits: 5, result: large }), { balance: 4 })
    const { outcome, kept, record, removeUnused } = asked
    await expect(outcome).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    await removeUnused()
    expect(await record()).toBeUndefined()
    expect(kept).toEqual(new Set())
  })
})
