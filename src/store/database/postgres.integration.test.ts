import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ContractTables, databaseContract } from '../../../test/contracts/database.ts'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { silentLog } from '../../platform/log.ts'
import type { Database } from '../../platform/ports/database.ts'
import { postgresDatabase } from './postgres.ts'

describe('PostgreSQL', () => {
  let server: PostgresServer
  let url: string
  let database: Database<ContractTables>
  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    database = postgresDatabase(url, silentLog)
    await sql`create table counters (name text primary key, value bigint not null)`.execute(database.query)
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })

  databaseContract(() => database)

  it('wakes listeners of another process', async () => {
    const other = postgresDatabase<ContractTables>(url, silentLog)
    const received = Promise.withResolvers<string>()
    other.listen('slot', received.resolve)
    const interval = setInterval(() => database.notify('slot', 'away'), 20)
    expect(await received.promise).toBe('away')
    clearInterval(interval)
    await other.close()
  })

  it('delivers messages to subscribers of another process as soon as they have subscribed', async () => {
    const other = postgresDatabase<ContractTables>(url, silentLog)
    database.listen('slot', () => {})
    const received = Promise.withResolvers<string>()
    await other.subscribe('theirs', received.resolve)
    const interval = setInterval(() => database.publish('theirs', () => 'away'), 20)
    expect(await received.promise).toBe('away')
    clearInterval(interval)
    await other.close()
  })

  it('waits for a connection if the server has none left', async () => {
    const role = `few_${randomBytes(4).toString('hex')}`
    await sql.raw(`create role ${role} login password 'few' connection limit 3`).execute(database.query)
    const limitedDatabase = postgresDatabase<ContractTables>(
      Object.assign(new URL(url), { username: role, password: 'few' }).href,
      silentLog,
    )
    const slow = () =>
      limitedDatabase.transaction((transaction) => sql`select pg_sleep(0.05)`.execute(transaction))
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, slow))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    await limitedDatabase.close()
  })

  it('receives messages again after its connection was terminated', async () => {
    const received = Promise.withResolvers<string>()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query ilike 'listen%'`.execute(
      database.query,
    )
    database.listen('queued', received.resolve)
    const interval = setInterval(() => database.notify('queued', 'still here'), 50)
    expect(await received.promise).toBe('still here')
    clearInterval(interval)
  })
})
