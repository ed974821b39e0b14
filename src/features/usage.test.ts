import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { addModelUsage } from '../store/jobs/daily-usage.ts'
import { modelTokenHistory, modelTokens } from './usage.ts'

afterEach(endJobScenes)

/** Sets the clock to 15 March, with token usage on that day, earlier in March, in February and in 2024. */
async function setup() {
  const { store, deps, time, team } = await jobScene()
  time.now = Date.UTC(2026, 2, 15, 12)
  const [owner, other] = [await team('owner'), await team('other')]
  const days = ['2026-03-15', '2026-03-02', '2026-02-28', '2024-12-31']
  for (const [index, day] of days.entries()) {
    const number = Date.parse(day) / 86_400_000
    await addModelUsage(
      store.query,
      { teamId: owner.id, day: number },
      { input: 10 ** index, output: 1, calls: 1 },
    )
  }
  return { deps: { store, clock: deps.clock }, owner, other }
}

describe('model token usage', () => {
  it('returns the tokens of today and of the billing period', async () => {
    const { deps, owner, other } = await setup()
    expect(await modelTokens(deps, owner, 5000)).toEqual({
      ...{ today: 2, todayLimit: 5000, inputTokens: 11, outputTokens: 2, calls: 2 },
    })
    expect(await modelTokens(deps, other, 0)).toMatchObject({ today: 0, todayLimit: null, calls: 0 })
  })

  it('returns the tokens per period for one year', async () => {
    const { deps, owner } = await setup()
    const months = await modelTokenHistory(deps, owner, 'month')
    expect(months.map(({ startDate, tokens }) => [startDate.slice(0, 10), tokens])).toEqual([
      ['2026-02-01', 101],
      ['2026-03-01', 13],
    ])
    const days = await modelTokenHistory(deps, owner, 'day')
    expect(days.map(({ endDate, tokens }) => [endDate.slice(0, 10), tokens])).toEqual([
      ['2026-03-01', 101],
      ['2026-03-03', 11],
      ['2026-03-16', 2],
    ])
  })
})
