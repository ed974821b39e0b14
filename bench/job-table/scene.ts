import { z } from 'zod'
import { createParentHooks } from '../../src/bootstrap/parent-hooks.ts'
import { createJobFinisher } from '../../src/jobs/finish-jobs.ts'
import { defineBackgroundJob } from '../../src/jobs/job.ts'
import { createQueue } from '../../src/jobs/queue.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { silentLog } from '../../src/platform/log.ts'
import { diskBlobs } from '../../src/store/blobs/disk.ts'
import { postgresDatabase } from '../../src/store/database/postgres.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { Store, Tables } from '../../src/store/schema.ts'
import { storedJson } from '../../src/store/stored-json.ts'
import { createTeam } from '../../src/store/teams.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { temporaryFolder } from '../../test/service.ts'

export interface Scene {
  databaseUrl: string
  store: Store
  teamId: string
  submit(count: number): Promise<string>
  recordEnding: ReturnType<typeof createJobFinisher>
  sweepDeps: Parameters<typeof import('../../src/jobs/sweeper.ts').sweep>[0]
  stop(): Promise<void>
}

/** Creates an empty database with the schema of the service, on a new server or on the server at BENCH_POSTGRES_URL. */
export async function startScene(): Promise<Scene> {
  const folder = temporaryFolder()
  const serverUrl = process.env.BENCH_POSTGRES_URL
  const server = serverUrl ? undefined : await startPostgres()
  const databaseUrl = serverUrl ?? (await server?.createDatabase()) ?? ''
  const store = postgresDatabase<Tables>(databaseUrl, silentLog, { maxQueryMs: 0 })
  await migrate(store)
  const { id: teamId } = await createTeam(store.query, { name: 'bench', balance: null, now: Date.now() })
  const parentHooks = createParentHooks({ store, clock: systemClock })
  const deps = { store, blobs: diskBlobs(folder.path), clock: systemClock, log: silentLog, parentHooks }
  const queue = createQueue(deps)
  return {
    ...{ databaseUrl, store, teamId },
    submit: async (count) => {
      const jobRequest = createJobRequest(teamId)
      const children = { kind: page, requests: Array(count).fill(jobRequest) }
      return (
        await queue.submitParent<object>({
          kind: 'crawl',
          request: jobRequest,
          children,
          idempotencyKey: undefined,
        })
      ).id
    },
    recordEnding: createJobFinisher(store, parentHooks),
    sweepDeps: { ...deps, retentionHours: 24, cacheDays: 2, removeIndexedPages: async () => {} },
    stop: async () => {
      await store.close()
      await server?.stop()
      folder.remove()
    },
  }
}

const page = defineBackgroundJob<object, object>({
  kind: 'crawl.page',
  takesSlot: true,
  input: storedJson({ table: 'jobs', column: 'input' }, z.object({})),
  toRecordedInput: () => ({}),
  run: async () => ({ credits: 1, result: {} }),
})

function createJobRequest(teamId: string) {
  const team = { id: teamId, name: 'bench', keyId: null, concurrency: 1e6 }
  return {
    team: { ...team, zeroRetention: false, isOperator: false },
    ...{ input: {}, target: 'https://site.example/', origin: undefined, retain: true, price: 1 },
    deadlineAt: Date.now() + 1e9,
  }
}
