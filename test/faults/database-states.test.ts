import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/platform/log.ts'
import type { Database } from '../../src/platform/ports/database.ts'
import { postgresDatabase } from '../../src/store/database/postgres.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { postgresUser } from '../servers/postgres-user.ts'
import { temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'

interface Tables {
  notes: { name: string }
}

let server: PostgresServer
let url: string
let database: Database<Tables>
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  database = postgresDatabase<Tables>(url, silentLog)
  await admin('create table notes (name text primary key)')
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

const databaseName = (address: string) => new URL(address).pathname.slice(1)

/** Runs a statement on a separate connection. */
async function admin(statement: string, address = url): Promise<void> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const write = (on = database) =>
  on.transaction((transaction) =>
    transaction
      .insertInto('notes')
      .values({ name: String(Math.random()) })
      .execute(),
  )
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (thrown: { code: string; detail: { reason: string } }) => `${thrown.code}: ${thrown.detail?.reason}`,
  )
const connections = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(database.query)
  return rows.map(({ pid }) => pid)
}
/** Opens several connections of the pool, which stay open. */
const openSeveral = () =>
  Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.1)`.execute(database.query)))

describe('PostgreSQL', { timeout: 60_000 }, () => {
  it('is writable for the second call after it was read-only, on any connection', async () => {
    await admin(`alter database ${databaseName(url)} set default_transaction_read_only = on`)
    await admin(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    // These sessions stay read-only until they end, even after the setting is reset.
    await outcome(openSeveral())
    await openSeveral()
    await admin(`alter database ${databaseName(url)} reset default_transaction_read_only`, server.url)
    expect(await outcome(write())).toBe('STORE_UNAVAILABLE: the database is read-only')
    const writes = await Promise.all(Array.from({ length: 8 }, () => outcome(write())))
    expect(writes).toEqual(Array.from({ length: 8 }, () => 'done'))
  })

  it('is writable for the next call after its connections were terminated', async () => {
    await openSeveral()
    const slow = outcome(sql`select pg_sleep(30)`.execute(database.query))
    await expect.poll(async () => (await connections()).length).toBeGreaterThan(1)
    // The statement waits until the connections have ended. A write may still use one that is about to end.
    await admin(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    expect(await slow).toMatch(/^STORE_UNAVAILABLE: /)
    await sleep(100)
    expect(await outcome(write())).toBe('done')
  })

  it('keeps the connection of a statement that an operator cancelled', async () => {
    let pid: number | undefined
    const cancelled = database.transaction(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      pid = rows[0]?.pid
      await sql`select pg_sleep(30)`.execute(transaction)
    })
    const ended = outcome(cancelled)
    await expect.poll(() => pid !== undefined && isSleeping(pid)).toBe(true)
    await admin(`select pg_cancel_backend(${pid})`)
    expect(await ended).toBe('STORE_UNAVAILABLE: the database cancelled the statement')
    expect(await connections()).toContain(pid)
  })

  it('is unavailable if a row is locked longer than the lock timeout', async () => {
    await admin("insert into notes values ('locked')")
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query("begin; update notes set name = name where name = 'locked'")
    const waiting = database.transaction(async (transaction) => {
      await sql`set local lock_timeout = '50ms'`.execute(transaction)
      await sql`update notes set name = name where name = 'locked'`.execute(transaction)
    })
    expect(await outcome(waiting)).toBe('STORE_UNAVAILABLE: the database could not lock a row in time')
    await holder.end()
  })

  it('is unavailable while an operator has closed the database', async () => {
    const closed = await server.createDatabase()
    await admin(`alter database ${databaseName(closed)} with allow_connections false`)
    const other = postgresDatabase<Tables>(closed, silentLog)
    expect(await outcome(other.time())).toBe('STORE_UNAVAILABLE: the database does not accept connections')
    await admin(`alter database ${databaseName(closed)} with allow_connections true`)
    expect(await outcome(other.time())).toBe('done')
    await other.close()
  })

  it.runIf(isWhole)('is unavailable if no connection becomes free while a call waits', async () => {
    const role = `none_${process.pid}`
    await admin(`create role ${role} login password 'none' connection limit 0`)
    const other = postgresDatabase<Tables>(
      Object.assign(new URL(url), { username: role, password: 'none' }).href,
      silentLog,
    )
    expect(await outcome(other.time())).toBe('STORE_UNAVAILABLE: the database server has no connection left')
    await other.close()
  })

  it('reports an invalid statement, and a statement in a failed transaction, as a bug', async () => {
    await expect(sql`select nonsense`.execute(database.query)).rejects.toMatchObject({ code: '42703' })
    await expect(
      database.transaction(async (transaction) => {
        await outcome(sql`select nonsense`.execute(transaction))
        await sql`select 1`.execute(transaction)
      }),
    ).rejects.toMatchObject({ code: '25P02' })
    expect(await outcome(write())).toBe('done')
  })
})

async function isSleeping(pid: number): Promise<boolean> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity where pid = ${pid} and state = 'active'`.execute(database.query)
  return rows[0]?.query.includes('pg_sleep') ?? false
}

const folder = temporaryFolder()
const disk = mkdtempSync(join(folder.path, 'disk-'))
const isMounted = mount()
const skipNote = isMounted ? '' : ' (skipped: a file system can be mounted by root only)'
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' })
    execFileSync('chmod', ['a+x', folder.path])
    const user = postgresUser()
    if (user) chownSync(disk, user.uid, user.gid)
    return true
  } catch {
    return false
  }
}
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  folder.remove()
})

describe.skipIf(!isMounted)(`a full disk of PostgreSQL${skipNote}`, () => {
  it('is reported as unavailable with its reason, and the connection stays usable', async () => {
    await admin(`create tablespace small location '${disk}'`)
    await admin('create table filled (name text) tablespace small')
    const fill = database.transaction((transaction) =>
      sql`insert into filled select repeat(md5(i::text), 8) from generate_series(1, 20000) as i`.execute(
        transaction,
      ),
    )
    expect(await outcome(fill)).toBe('STORE_UNAVAILABLE: the disk of the database server is full')
    expect(await outcome(write())).toBe('done')
    await admin('drop table filled')
    await admin('drop tablespace small')
  })
})

describe('a database that becomes read-only, as in a failover', { timeout: 120_000 }, () => {
  let site: Site
  let fleet: Fleet
  beforeAll(async () => {
    site = await startSite()
    fleet = await startFleet(['all'])
  })
  afterAll(async () => {
    await fleet?.stop()
    await site?.stop()
  })

  const scrape = () =>
    fleet.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/${Math.random()}`, maxAge: 0 } })

  it('returns 503 with Retry-After, is reported by readiness, and recovers without a restart', async () => {
    expect((await scrape()).status).toBe(200)
    const { postgres } = fleet
    await admin('alter system set default_transaction_read_only = on', postgres.url)
    await admin('select pg_reload_conf()', postgres.url)
    await expect
      .poll(async () => (await fleet.call('GET', '/health/ready')).body.parts.store)
      .toContain('the database is read-only')
    const rejected = await scrape()
    expect(rejected).toMatchObject({
      status: 503,
      body: { code: 'STORE_UNAVAILABLE', part: 'database', reason: 'the database is read-only' },
    })
    expect(rejected.headers.get('retry-after')).not.toBeNull()
    await admin('alter system reset default_transaction_read_only', postgres.url)
    await admin('select pg_reload_conf()', postgres.url)
    await expect.poll(async () => (await scrape()).status).toBe(200)
    const after = await Promise.all(Array.from({ length: 12 }, scrape))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200))
  })
})
