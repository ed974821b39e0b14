import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteDatabase } from './database/sqlite.ts'
import { migrate } from './migrate.ts'
import { prepared } from './prepared.ts'
import type { Tables } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-prepared-'))
afterAll(() => rmSync(folder, { recursive: true }))

const insert = prepared<{ name: string; value: string }>((query, value) =>
  query.insertInto('secrets').values({ name: value('name'), value: value('value') }),
)
const find = prepared<{ name: string }, { value: string }>((query, value) =>
  query.selectFrom('secrets').select('value').where('name', '=', value('name')),
)

describe('prepared', () => {
  it('runs a query with new values each time, inside and outside a transaction', async () => {
    const store = sqliteDatabase<Tables>(join(folder, 'a.sqlite'))
    await migrate(store)
    await insert(store.query, { name: 'one', value: '1' })
    await store.transaction((transaction) => insert(transaction, { name: 'two', value: '2' }))
    expect((await find(store.query, { name: 'one' })).rows).toMatchObject([{ value: '1' }])
    expect((await find(store.query, { name: 'two' })).rows).toMatchObject([{ value: '2' }])
    expect((await find(store.query, { name: 'three' })).rows).toEqual([])
    await store.close()
  })
})
