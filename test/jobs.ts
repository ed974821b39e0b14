import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Team } from '../src/accounts/team.ts'
import { createParentHooks } from '../src/bootstrap/parent-hooks.ts'
import { createJobFinisher } from '../src/jobs/finish-jobs.ts'
import { type BackgroundKind, defineBackgroundJob, type JobRequest, newJobRow } from '../src/jobs/job.ts'
import { createLeaseHolder } from '../src/jobs/lease-holder.ts'
import { systemClock } from '../src/platform/clock.ts'
import { lazy } from '../src/platform/functions.ts'
import { silentLog } from '../src/platform/log.ts'
import { diskBlobs } from '../src/store/blobs/disk.ts'
import { sqliteDatabase } from '../src/store/database/sqlite.ts'
import { insertJobs, type JobRow } from '../src/store/jobs/jobs.ts'
import { migrate } from '../src/store/migrate.ts'
import type { Tables } from '../src/store/schema.ts'
import { storedJson } from '../src/store/stored-json.ts'
import { changeTeam, createTeam } from '../src/store/teams.ts'
import { temporaryFolder } from './service.ts'

const cleanups: (() => Promise<void>)[] = []

/** Returns the file of an empty store. Created once, because each migration waits for the disk. */
const emptyStore = lazy(async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'store.sqlite')
  const store = sqliteDatabase<Tables>(path)
  await migrate(store)
  await store.close()
  const bytes = readFileSync(path)
  folder.remove()
  return bytes
})

/**
 * Creates the dependencies of jobs without a service: SQLite in a separate folder, and a clock that the test moves.
 */
export async function jobScene({ leaseMs = 12_000 } = {}) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'store.sqlite')
  writeFileSync(path, await emptyStore())
  const store = sqliteDatabase<Tables>(path)
  const time = { now: 1_000_000_000 }
  const clock = { ...systemClock, now: () => time.now }
  const parentHooks = createParentHooks({ store, clock })
  const base = { store, blobs: diskBlobs(join(folder.path, 'blobs')), clock, log: silentLog, parentHooks }
  const holder = createLeaseHolder({ ...base, leaseMs })
  const deps = { ...base, holder, recordEnding: createJobFinisher(store, parentHooks) }
  cleanups.push(async () => {
    holder.stop()
    await store.close()
    folder.remove()
  })
  const order = <Input>(
    team: Team,
    input: Input,
    changes: Partial<JobRequest<Input>> = {},
  ): JobRequest<Input> => {
    const usual = { target: null, origin: undefined, retain: true, price: 0 }
    return { team, input, ...usual, deadlineAt: time.now + 60_000, ...changes }
  }
  return {
    ...{ deps, store, time, holder, order },
    /** Creates a team. Without a balance, the team may spend without limit. */
    async team(name: string, options: { balance?: number; slots?: number } = {}): Promise<Team> {
      const row = await createTeam(store.query, { name, balance: options.balance ?? null, now: time.now })
      if (options.slots !== undefined) await changeTeam(store.query, row.id, { concurrency: options.slots })
      return {
        id: row.id,
        name,
        keyId: null,
        concurrency: options.slots ?? 100,
        zeroRetention: false,
        isOperator: false,
      }
    },
    /** Inserts a job row with the changes of the test. By default, the job is queued. */
    async insert(team: Team, changes: Partial<JobRow> = {}): Promise<JobRow> {
      const row = { ...newJobRow(jobKind(), order(team, 'page'), time.now), ...changes }
      await insertJobs(store.query, [row])
      return row
    },
  }
}

export type JobScene = Awaited<ReturnType<typeof jobScene>>

/** Closes everything that `jobScene` opened, in reverse order. For `afterEach`. */
export async function endJobScenes(): Promise<void> {
  for (const end of cleanups.splice(0).reverse()) await end()
}

export function endsFirst(end: () => Promise<void>): void {
  cleanups.push(end)
}

/** Creates a job kind that returns its input, unless `changes` override that. */
export function jobKind(
  changes: Partial<BackgroundKind<string, string>> = {},
): BackgroundKind<string, string> {
  return defineBackgroundJob({
    kind: 'scrape',
    takesSlot: true,
    input: storedJson({ table: 'jobs', column: 'input' }, z.string()),
    toRecordedInput: (input) => input,
    run: async ({ input }) => ({ credits: 1, result: input }),
    ...changes,
  })
}
