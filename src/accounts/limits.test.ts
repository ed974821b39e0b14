import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteDatabase } from '../store/database/sqlite.ts'
import { migrate } from '../store/migrate.ts'
import type { Tables } from '../store/schema.ts'
import { createRateLimiter } from './limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const team = {
  id: 'team',
  name: 'team',
  keyId: null,
  concurrency: 1,
  zeroRetention: false,
  isOperator: false,
}

async function limitersOnOneStore(ratePerMinute: number) {
  const store = sqliteDatabase<Tables>(join(folder, `${Math.random()}.sqlite`))
  await migrate(store)
  const time = { now: 600_000 }
  const clock = { now: () => time.now, sleep: async () => {} }
  let statements = 0
  const counted = store.query.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const limiter = () => createRateLimiter({ store: { ...store, query: counted }, clock, ratePerMinute })
  return { limiters: [limiter(), limiter()] as const, time, statements: () => statements }
}

const count = async (calls: (() => Promise<void> | void)[]) => {
  const results = await Promise.allSettled(calls.map(async (call) => call()))
  return results.filter((result) => result.status === 'fulfilled').length
}

describe('createRateLimiter', () => {
  it('is exact in one process with 200 concurrent calls', async () => {
    const { limiters } = await limitersOnOneStore(50)
    expect(await count(Array(200).fill(() => limiters[0](team, 'work')))).toBe(50)
  })

  it('is not exceeded by two processes together', async () => {
    const { limiters } = await limitersOnOneStore(50)
    const calls = Array.from({ length: 200 }, (_, index) => () => limiters[index % 2 ? 1 : 0](team, 'work'))
    expect(await count(calls)).toBeLessThanOrEqual(50)
    expect(await count(calls)).toBe(0)
  })

  it('resets each minute', async () => {
    const { limiters, time } = await limitersOnOneStore(3)
    expect(await count(Array(5).fill(() => limiters[0](team, 'work')))).toBe(3)
    time.now += 60_000
    expect(await count(Array(5).fill(() => limiters[0](team, 'work')))).toBe(3)
  })

  it('counts reads separately, with ten times the limit', async () => {
    const { limiters } = await limitersOnOneStore(3)
    await count(Array(5).fill(() => limiters[0](team, 'work')))
    expect(await count(Array(50).fill(() => limiters[0](team, 'read')))).toBe(30)
  })

  it('returns the wait in retryAfter', async () => {
    const { limiters, time } = await limitersOnOneStore(1)
    await limiters[0](team, 'work')
    time.now += 45_000
    await expect(async () => limiters[0](team, 'work')).rejects.toMatchObject({ detail: { retryAfter: 15 } })
  })

  it('uses one statement for 1000 concurrent calls', async () => {
    const { limiters, statements } = await limitersOnOneStore(6000)
    expect(await count(Array(1000).fill(() => limiters[0](team, 'work')))).toBe(1000)
    expect(statements()).toBe(1)
  })

  it('does not delay the first call of a team by calls of another team', async () => {
    const { limiters, statements } = await limitersOnOneStore(6000)
    const other = { ...team, id: 'other' }
    const flood = Array.from({ length: 5000 }, () => limiters[0](team, 'work'))
    await limiters[0](other, 'work')
    expect(statements()).toBeLessThanOrEqual(2)
    await Promise.all(flood)
    expect(statements()).toBe(2)
  })

  it('rejects excess calls of a burst without more statements', async () => {
    const { limiters, statements } = await limitersOnOneStore(50)
    expect(await count(Array(500).fill(() => limiters[0](team, 'work')))).toBe(50)
    expect(statements()).toBe(1)
  })
})
