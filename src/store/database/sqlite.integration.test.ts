import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ContractTables, databaseContract } from '../../../test/contracts/database.ts'
import type { Database } from '../../platform/ports/database.ts'
import { lockFolder, sqliteDatabase } from './sqlite.ts'

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-sqlite-'))
  let database: Database<ContractTables>
  beforeAll(async () => {
    database = sqliteDatabase(join(folder, 'contract.sqlite'))
    await sql`create table counters (name text primary key, value bigint not null)`.execute(database.query)
  })
  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  databaseContract(() => database)

  it('writes a commit to disk before it is acknowledged', async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database.query)
    const { rows: mode } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database.query)
    expect({ ...rows[0], ...mode[0] }).toEqual({ synchronous: 2, journal_mode: 'wal' })
  })

  it('stays durable after a commit that was not durable', async () => {
    await database.transaction(async () => undefined, { durable: false })
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database.query)
    expect(rows[0]?.synchronous).toBe(2)
  })

  it('restarts its log while one commit follows another', async () => {
    const path = join(folder, 'steady.sqlite')
    const steady = sqliteDatabase<ContractTables>(path)
    await sql`create table wide (id integer primary key, text text not null)`.execute(steady.query)
    await sql`
      with recursive ids (id) as (select 1 union all select id + 1 from ids where id < 15)
      insert into wide select id, hex(zeroblob(1600)) from ids`.execute(steady.query)
    const log = openSync(`${path}-wal`, 'r')
    /** Returns the number of restarts of the log, which is the fourth number of its header. */
    const countRestarts = () => {
      const header = Buffer.alloc(16)
      readSync(log, header, 0, 16, 0)
      return header.readUInt32BE(12)
    }
    const first = countRestarts()
    // Each row fills a page of 4 KB. Without parallel checkpoints, the writer would write the log back itself at 128
    // MB.
    for (let commit = 0; countRestarts() === first; commit += 1) {
      await steady.transaction(async (query) => {
        await sql`update wide set text = printf('%05d', ${commit}) || substr(text, 6)`.execute(query)
      })
    }
    expect(fstatSync(log).size).toBeLessThan(120 * 1024 * 1024)
    closeSync(log)
    await steady.close()
  })

  it('allows only one process to serve a folder', () => {
    const unlock = lockFolder(join(folder, 'served'))
    expect(() => lockFolder(join(folder, 'served'))).toThrow('already serves')
    unlock()
    lockFolder(join(folder, 'served'))()
  })
})
