import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { keyFile } from '../accounts/key-file.ts'
import { diskBlobs } from '../adapters/blobs/disk.ts'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { ensureFirstKey } from '../commands/first-key.ts'
import { createParentHooks } from '../parent-jobs.ts'
import { migrate } from '../store/migrate.ts'
import type { Store, Tables } from '../store/schema.ts'
import { findFirstTeam } from '../store/teams.ts'
import { endingRecorder } from './endings.ts'
import { foreground } from './foreground.ts'
import { createHolder } from './holder.ts'
import { defineJob } from './job.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-foreground-'))
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

it('is not taken for lost by a heartbeat that comes before its record is written', async () => {
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
  const holder = createHolder({ store: slow, clock: systemClock, log: silentLog, leaseMs: 12_000 })
  const blobs = diskBlobs(folder)
  const needs = { store: slow, blobs, clock: systemClock, log: silentLog, holder }
  const parentHooks = createParentHooks(needs)
  const run = foreground({ ...needs, parentHooks, recordEnding: endingRecorder(slow, parentHooks) }, 4)
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
