import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { sqliteDatabase } from '../store/database/sqlite.ts'
import { addKey, revokeKey } from '../store/keys.ts'
import { migrate } from '../store/migrate.ts'
import type { Tables } from '../store/schema.ts'
import { createKeyWatch } from './key-watch.ts'
import { insertTeamWithCredits } from './team-account.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-key-watch-'))
const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
let teamId: string
beforeAll(async () => {
  await migrate(store)
  const team = { name: 'team', credits: undefined, now: 0 }
  teamId = (await store.transaction((transaction) => insertTeamWithCredits(transaction, team))).id
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const newKey = async (hash: string) =>
  (await addKey(store.query, { teamId, hash, hint: '', isOperator: false, now: 0 })).id

describe('createKeyWatch', () => {
  it('calls every watcher of a revoked key once and no watcher of another key', async () => {
    const [firstId, secondId] = [await newKey('one'), await newKey('other')]
    const { watch } = createKeyWatch({ store, log: silentLog })
    const [first, second, third, removed] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
    watch(firstId, first)
    watch(firstId, second)
    watch(firstId, removed)()
    const unwatch = watch(secondId, third)
    await revokeKey(store.query, firstId, 1)
    await expect.poll(() => [first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
    expect([third, removed].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    unwatch()
  })

  it('ends a connection that opened with a cached key after the key was revoked', async () => {
    const id = await newKey('late')
    await revokeKey(store.query, id, 1)
    const { watch } = createKeyWatch({ store, log: silentLog })
    await new Promise<void>((resolve) => watch(id, resolve))
  })

  it('sends one statement for any number of connections that open together', async () => {
    const id = await newKey('many')
    let statements = 0
    const query = store.query.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { watch } = createKeyWatch({ store: { ...store, query }, log: silentLog })
    const ended = Array.from({ length: 1000 }, () => vi.fn())
    for (const onRevoked of ended) watch(id, onRevoked)
    await expect.poll(() => statements).toBeGreaterThan(0)
    // The first connection starts the loop; the others are checked in its second round.
    expect(statements).toBeLessThanOrEqual(3)
    await revokeKey(store.query, id, 1)
    await expect.poll(() => ended.every(({ mock }) => mock.calls.length === 1)).toBe(true)
  })

  it('retains connections while the store is unavailable, and ends them afterwards', async () => {
    const id = await newKey('outage')
    let isAway = true
    const query = store.query.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('The store is away.')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const warn = vi.fn()
    const { watch } = createKeyWatch({ store: { ...store, query }, log: { ...silentLog, warn } })
    const ended = vi.fn()
    watch(id, ended)
    await revokeKey(store.query, id, 1)
    await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0)
    expect(ended).not.toHaveBeenCalled()
    isAway = false
    await expect.poll(() => ended.mock.calls.length).toBe(1)
  })
})
