import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import type { Blobs } from '../../src/platform/ports/blobs.ts'
import type { Store } from '../../src/store/schema.ts'

/** Inserts a row of the team, with the marker in every text column, into each team table that has no such row. */
export async function fillTables(store: Store, blobs: Blobs, team: { id: string; marker: string }) {
  for (const { name: table, columns } of await store.query.introspection.getTables()) {
    if (!columns.some(({ name }) => name === 'team_id')) continue
    const own = sql`select 1 from ${sql.table(table)} where team_id = ${team.id} limit 1`
    if ((await own.execute(store.query)).rows.length > 0) continue
    const values: unknown[] = []
    for (const { name, dataType } of columns) {
      if (name === 'team_id') values.push(team.id)
      else if (/blob$/.test(name))
        values.push(await blobs.put(`profiles/${table}-${name}`, Buffer.from(name)))
      else if (/int/i.test(dataType)) values.push(0)
      else if (/blob|bytea/i.test(dataType)) values.push(Buffer.from(team.marker))
      else values.push(`${team.marker} ${table} ${name}`)
    }
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(values)})`.execute(store.query)
  }
}

/** Returns every value of the team's rows. This includes compressed values, which a text search would not find. */
export async function valuesOf(query: Kysely<never>, teamId: string): Promise<Buffer[]> {
  const values: Buffer[] = []
  for (const { name, columns } of await query.introspection.getTables()) {
    if (!columns.some((column) => column.name === 'team_id')) continue
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(name)} where team_id = ${teamId}`.execute(query)
    for (const value of rows.flatMap((row) => Object.values(row))) {
      if (typeof value === 'string') values.push(Buffer.from(value))
      else if (value instanceof Uint8Array) values.push(Buffer.from(value))
    }
  }
  return values
}

const partBytes = 24

/** Returns parts of the long values that no other value contains. */
export function partsOf(values: Buffer[], others: Buffer[]): Buffer[] {
  // A long value is spread over several pages of the file, so a page boundary may cut a part. At most one of three
  // parts is cut.
  const long = values.filter(({ length }) => length >= 3 * partBytes)
  const parts = long.flatMap((value) =>
    [0, Math.floor(value.length / 3), value.length - partBytes].map((offset) =>
      value.subarray(offset, offset + partBytes),
    ),
  )
  return parts.filter((part) => !others.some((other) => other.includes(part)))
}

/** Checkpoints the write-ahead log into the SQLite files of a folder. Returns the parts that the files contain. */
export function findInFiles(folder: string, parts: Buffer[], { vacuum = false } = {}): string[] {
  const finds: string[] = []
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(folder, name))
    if (vacuum) database.exec('vacuum')
    database.exec('pragma wal_checkpoint(truncate)')
    database.close()
    const bytes = readFileSync(join(folder, name))
    if (!vacuum) clearGaps(bytes)
    for (const part of parts) {
      const offset = bytes.indexOf(part)
      if (offset >= 0) finds.push(`${name}: ${bytes.toString('latin1', offset, offset + shownBytes)}`)
    }
  }
  return finds
}

/** Number of bytes to print for each find, enough to identify its row. */
const shownBytes = 300

/**
 * Clears the space between the header and the cells of pages in use. SQLite leaves copies of cells there when it
 * moves them between pages, even with secure_delete, in about one of a thousand rows. Only VACUUM removes them.
 */
function clearGaps(bytes: Buffer): void {
  const pageBytes = bytes.readUInt16BE(16)
  for (let page = 0; page < bytes.length; page += pageBytes) {
    const header = page === 0 ? 100 : page
    const headerBytes = { 2: 12, 5: 12, 10: 8, 13: 8 }[bytes[header] ?? 0]
    if (headerBytes === undefined) continue
    const start = header + headerBytes + 2 * bytes.readUInt16BE(header + 3)
    bytes.fill(0, start, Math.max(start, page + bytes.readUInt16BE(header + 5)))
  }
}

/** Returns the PostgreSQL tables that have a row with one of the parts, or a dead row after VACUUM. */
export async function findInTables(databaseUrl: string, parts: Buffer[]): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const finds: string[] = []
  try {
    await client.query('vacuum')
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`select r::text as text from ${name} r`)
      for (const { text } of rows)
        for (const part of parts)
          if (text.includes(part.toString()) || text.includes(part.toString('hex')))
            finds.push(`${name}: ${part.toString('latin1')}`)
    }
    const dead = await client.query<{ name: string }>(
      `select relname || ': ' || n_dead_tup || ' dead rows' as name from pg_stat_all_tables
       where schemaname <> 'pg_catalog' and schemaname <> 'information_schema' and n_dead_tup > 0`,
    )
    finds.push(...dead.rows.map(({ name }) => name))
  } finally {
    await client.end()
  }
  return finds
}
