import { join } from 'node:path'
import { z } from 'zod'
import { createParentHooks } from '../src/bootstrap/parent-hooks.ts'
import { createJobFinisher } from '../src/jobs/finish-jobs.ts'
import { defineBackgroundJob } from '../src/jobs/job.ts'
import { createLeaseHolder } from '../src/jobs/lease-holder.ts'
import { createQueue } from '../src/jobs/queue.ts'
import { startRunner } from '../src/jobs/runner.ts'
import { systemClock } from '../src/platform/clock.ts'
import { silentLog } from '../src/platform/log.ts'
import { diskBlobs } from '../src/store/blobs/disk.ts'
import { postgresDatabase } from '../src/store/database/postgres.ts'
import { sqliteDatabase } from '../src/store/database/sqlite.ts'
import { countChildren } from '../src/store/jobs/parents.ts'
import { migrate } from '../src/store/migrate.ts'
import type { Store, Tables } from '../src/store/schema.ts'
import { storedJson } from '../src/store/stored-json.ts'
import { createTeam } from '../src/store/teams.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { temporaryFolder } from '../test/service.ts'
import { atLeast, type Figure } from './figure.ts'

/** Numbers of jobs, large enough that the startup work of a process does not matter. */
const counts = { sqlite: 20_000, postgres: 3000 }

/** Measures how many empty background jobs one worker completes per second, each ended and charged durably. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const postgres = await startPostgres()
  const sqliteStore = sqliteDatabase<Tables>(join(folder.path, 'jobs.sqlite'))
  const postgresStore = postgresDatabase<Tables>(await postgres.createDatabase(), silentLog)
  const figures = [
    atLeast(
      'jobs drained by one worker, SQLite',
      await drain(sqliteStore, folder.path, counts.sqlite),
      1000,
      'per s',
    ),
    atLeast(
      'jobs drained by one worker, PostgreSQL',
      await drain(postgresStore, folder.path, counts.postgres),
      300,
      'per s',
    ),
  ]
  await sqliteStore.close()
  await postgresStore.close()
  await postgres.stop()
  folder.remove()
  return figures
}

async function drain(store: Store, folder: string, count: number): Promise<number> {
  await migrate(store)
  const { id } = await createTeam(store.query, { name: 'bench', balance: 1_000_000, now: Date.now() })
  const team = {
    id,
    name: 'bench',
    keyId: null,
    concurrency: 32,
    zeroRetention: false,
    isOperator: false,
  }
  const parentHooks = createParentHooks({ store, clock: systemClock })
  const deps = { store, blobs: diskBlobs(folder), clock: systemClock, log: silentLog, parentHooks }
  const emptyKind = defineBackgroundJob<object, object>({
    kind: 'nothing',
    takesSlot: true,
    input: storedJson({ table: 'jobs', column: 'input' }, z.object({})),
    toRecordedInput: () => ({}),
    run: async () => ({ credits: 1, result: {} }),
  })
  const jobRequest = {
    team,
    input: {},
    target: null,
    origin: undefined,
    retain: true,
    deadlineAt: Date.now() + 1e6,
    price: 1,
  }
  const parent = await createQueue(deps).submitParent<object>({
    kind: 'parent',
    request: jobRequest,
    children: { kind: emptyKind, requests: Array(count).fill(jobRequest) },
    idempotencyKey: undefined,
  })
  const holder = createLeaseHolder({ ...deps, leaseMs: 12_000 })
  const startedAt = performance.now()
  const runner = startRunner(
    { ...deps, holder, recordEnding: createJobFinisher(store, parentHooks) },
    { kinds: [emptyKind], capacity: 32, concurrency: 32 },
  )
  let done = 0
  while (done < count) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    done = (await countChildren(store.query, parent.id)).completed
  }
  const seconds = (performance.now() - startedAt) / 1000
  await runner.stop(1000)
  holder.stop()
  return count / seconds
}
