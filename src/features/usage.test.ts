import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { addModelUsage } from '../store/jobs/daily-usage.ts'
import { modelTokenHistory, modelTokens } from './usage.ts'

afterEach(endJobScenes)

/** The fifteenth of March, and what was used then, in the days before, in February and long ago. */
async function scene() {
  const { store, deps, time, team } = await jobScene()
  time.now = Date.UTC(2026, 2, 15, 12)
  const [asker, other] = [await team('asker'), await team('other')]
  const days = ['2026-03-15', '2026-03-02', '2026-02-28', '2024-12-31']
  for (const [index, day] of days.entries()) {
    const number = Date.parse(day) / 86_400_000
    await addModelUsage(
      store.query,
      { teamId: asker.id, day: number },
      { input: 10 ** index, output: 1, calls: 1 },
    )
  }
  return { deps: { store, clock: deps.clock }, asker, other }
}

describe('tokens of the language model', () => {
  it('are reported for today and for the billing period', async () => {
    const { deps, asker, other } = await scene()
    expect(await modelTokens(deps, asker, 5000)).toEqual({
      ...{ today: 2, todayLimit: 5000, inputTokens: 11, outputTokens: 2, calls: 2 },
    })
    expect(await modelTokens(deps, other, 0)).toMatchObject({ today: 0, todayLimit: null, calls: 0 })
  })

  it('are reported by period, for a year', async () => {
    const { deps, asker } = await scene()
    const months = await modelTokenHistory(deps, asker, 'month')
    expect(months.map(({ startDate, tokens }) => [startDate.slice(0, 10), tokens])).toEqual([
      ['2026-02-01', 101],
      ['2026-03-01', 13],
    ])
    const days = await modelTokenHistory(deps, asker, 'day')
    expect(days.map(({ endDate, tokens }) => [endDate.slice(0, 10), tokens])).toEqual([
      ['2026-03-01', 101],
      ['2026-03-03', 11],
      ['2026-03-16', 2],
    ])
  })
})
