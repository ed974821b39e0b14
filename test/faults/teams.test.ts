import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, callAt } from '../api.ts'
import { startPostgres } from '../servers/postgres.ts'
import { until } from '../servers/until.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'

const key = 'fc-00000000000000000000000000000000'
const teams = 8
const pages = isWhole ? 60 : 12

const environment = {
  ...{ API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn', TEAM_CREDITS: '1000000' },
  ...{ RATE_PER_MINUTE: '1000000', TEAM_CONCURRENCY: '6', CHROMIUM_PATH: '' },
}

interface Scene {
  service: RunningService
  /** Number of consecutive faults. */
  faults: number
  /** Makes the store reject writes for a while. */
  rejectWrites(): Promise<void>
  /** Makes every claim of a job of this team change nothing, without an error. Returns a function that ends that. */
  ignoreClaims(teamId: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Makes PostgreSQL read-only, as in a failover. */
async function onPostgres(): Promise<Scene> {
  const folder = temporaryFolder()
  const postgres = await startPostgres()
  const databaseUrl = await postgres.createDatabase()
  const service = await startService({ ...environment, DATA_DIR: folder.path, DATABASE_URL: databaseUrl })
  const execute = async (...statements: string[]) => {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const setReadOnly = (value: 'on' | 'off') =>
    execute(`alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()')
  return {
    service,
    faults: isWhole ? 5 : 2,
    async rejectWrites() {
      await setReadOnly('on')
      await sleep(isWhole ? 10_000 : 2000)
      await setReadOnly('off')
    },
    async ignoreClaims(teamId) {
      await execute(
        `create function ignore_claims() returns trigger language plpgsql as $$ begin
          if new.state = 'running' and new.team_id = '${teamId}' then return null; end if; return new; end $$`,
        'create trigger ignore_claims before update on jobs for each row execute function ignore_claims()',
      )
      return () => execute('drop trigger ignore_claims on jobs')
    },
    async stop() {
      await service.kill()
      await postgres.stop()
      folder.remove()
    },
  }
}

/** Writes to the SQLite file from another connection for longer than the service waits for the lock. */
async function onSqlite(): Promise<Scene> {
  const folder = temporaryFolder()
  const service = await startService({ ...environment, DATA_DIR: folder.path })
  const execute = async (statement: string) => {
    const other = new DatabaseSync(`${folder.path}/winnow.sqlite`)
    other.exec(`pragma busy_timeout = 5000; ${statement}`)
    other.close()
  }
  return {
    service,
    faults: 5,
    async rejectWrites() {
      const other = new DatabaseSync(`${folder.path}/winnow.sqlite`)
      other.exec('pragma busy_timeout = 5000; begin immediate')
      await sleep(10_000)
      other.close()
    },
    async ignoreClaims(teamId) {
      await execute(`create trigger ignore_claims before update on jobs
        when new.state = 'running' and new.team_id = '${teamId}' begin select raise(ignore); end`)
      return () => execute('drop trigger ignore_claims')
    },
    async stop() {
      await service.kill()
      folder.remove()
    },
  }
}

const scenes: [string, () => Promise<Scene>][] = [
  ['PostgreSQL', onPostgres],
  ['SQLite', onSqlite],
]
describe.each(isWhole ? scenes : scenes.slice(0, 1))(
  '%s that rejects writes for a while',
  { timeout: 600_000 },
  (_, open) => {
    let site: Site
    let scene: Scene
    beforeAll(async () => {
      site = await startSite()
      scene = await open()
    }, 120_000)
    afterAll(async () => {
      await scene.stop()
      await site.stop()
    })
    const call = (method: string, path: string, options: CallOptions = {}) =>
      callAt(scene.service.url, method, path, { key, ...options })

    async function createTeam(name: string): Promise<{ id: string; own: string }> {
      const team = (await call('POST', '/v2/operator/teams', { body: { name } })).body.data
      const createdKey = await call('POST', '/v2/operator/keys', { body: { teamId: team.id } })
      return { id: team.id, own: createdKey.body.key }
    }
    const metrics = async () => (await fetch(`${scene.service.url}/metrics`)).text()

    it('lets the batches of all eight teams complete afterwards', async () => {
      const keys: string[] = []
      for (let team = 0; team < teams; team += 1) keys.push((await createTeam(`team ${team}`)).own)
      const batches = await Promise.all(
        keys.map(async (own) => {
          const urls = Array.from({ length: pages }, () => `${site.url}/slow?ms=200&n=${Math.random()}`)
          const { body } = await call('POST', '/v2/batch/scrape', { key: own, body: { urls, maxAge: 0 } })
          return { own, id: String(body.id) }
        }),
      )
      const statusOf = async ({ own, id }: (typeof batches)[number]) => {
        const { body } = await call('GET', `/v2/batch/scrape/${id}?limit=1`, { key: own })
        return `${body.status} ${body.completed}`
      }
      for (let fault = 0; fault < scene.faults; fault += 1) {
        await scene.rejectWrites()
        await sleep(500)
      }
      const done = Array<string>(teams).fill(`completed ${pages}`)
      await until('the end of every batch', 400_000, async () => {
        const statuses = await Promise.all(batches.map(statusOf))
        return statuses.every((status) => status === done[0]) ? true : undefined
      }).catch(() => undefined)
      expect(await Promise.all(batches.map(statusOf))).toEqual(done)
      const ready = await call('GET', '/health/ready', { key: null })
      expect([ready.status, ready.body.parts.queue]).toEqual([200, 'ok'])
      expect(await metrics()).toMatch(/^winnow_queue_idle_seconds 0$/m)
      expect(scene.service.output()).not.toContain('the queues could not be watched')
    })

    // A queue is reported after half a minute.
    it.runIf(isWhole)('reports a team whose queue does not progress, and that no job runs', async () => {
      const { id, own } = await createTeam('stalled')
      const stopIgnoring = await scene.ignoreClaims(id)
      const urls = [`${site.url}/pages/1`]
      const batch = (await call('POST', '/v2/batch/scrape', { key: own, body: { urls, maxAge: 0 } })).body.id
      const pollOptions = { timeout: 120_000, interval: 500 }
      await expect.poll(metrics, pollOptions).toContain(`winnow_queue_stalled_seconds{team="${id}"}`)
      await expect.poll(() => scene.service.output()).toMatch(new RegExp(`"QUEUE_STALLED".*${id}`))
      // Readiness is checked every few seconds, and a job that ran recently delays the report.
      const ready = async () => {
        const { status, body } = await call('GET', '/health/ready', { key: null })
        return `${status} ${body.parts.queue}`
      }
      await expect.poll(ready, pollOptions).toMatch(/^503 jobs that may run/)
      await stopIgnoring()
      await until('the end of the batch', 30_000, async () => {
        const { body } = await call('GET', `/v2/batch/scrape/${batch}`, { key: own })
        return body.status === 'completed' ? true : undefined
      })
      await expect.poll(ready, pollOptions).toBe('200 ok')
      await expect.poll(metrics, pollOptions).not.toContain(`team="${id}"`)
      await expect.poll(() => scene.service.output()).toMatch(new RegExp(`"QUEUE_RESUMED".*${id}`))
    })
  },
)
