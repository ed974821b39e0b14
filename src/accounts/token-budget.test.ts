import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { scriptedModel } from '../adapters/language-model/scripted.ts'
import { silentLog } from '../base/log.ts'
import { modelUsageSince } from '../store/model-usage.ts'
import { teamModels } from './team-models.ts'
import { dayMs, tokenBudget } from './token-budget.ts'

afterEach(endJobScenes)

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens })

async function scene(tokensPerDay: number) {
  const { store, needs, time, team } = await jobScene()
  time.now = 100 * dayMs + dayMs / 2
  const { id } = await team('asker')
  const { id: other } = await team('other')
  const budget = { store, clock: needs.clock, log: silentLog, tokensPerDay, concurrency: 4 }
  return {
    ...{ time, id, other, budget },
    meter: (teamId = id) => tokenBudget(budget, teamId),
    days: (teamId = id) => modelUsageSince(store.query, { teamId, day: 0 }),
  }
}

describe('the tokens of a team', () => {
  it('are counted by day, without a limit where there is none', async () => {
    const { meter, time, days, other } = await scene(0)
    for (const tokens of [10_000, 20_000]) await (await meter().begin(999))(usage(tokens, 5))
    time.now += dayMs
    await (await meter().begin(999))(usage(7, 1))
    expect(await days()).toEqual([
      { day: 100, input_tokens: 30_000, output_tokens: 10, calls: 2 },
      { day: 101, input_tokens: 7, output_tokens: 1, calls: 1 },
    ])
    expect(await days(other)).toEqual([])
  })

  it('are not counted for a call that was not answered', async () => {
    const free = await scene(0)
    await (await free.meter().begin(999))(undefined)
    expect(await free.days()).toEqual([])
    const limited = await scene(5000)
    await (await limited.meter().begin(999))(undefined)
    expect(await limited.days()).toEqual([{ day: 100, input_tokens: 0, output_tokens: 0, calls: 0 }])
  })

  it('are refused once the day is spent, until the next', async () => {
    const { meter, time, other } = await scene(1000)
    await (await meter().begin(100))(usage(900, 99))
    await (await meter().begin(100))(usage(100, 1))
    await expect(meter().begin(1)).rejects.toMatchObject({
      code: 'MODEL_BUDGET_SPENT',
      detail: {
        limit: 1000,
        retryAfter: 43_200,
        hint: expect.stringContaining('MODEL_TOKENS_PER_TEAM_PER_DAY'),
      },
    })
    await expect(meter(other).begin(1)).resolves.toBeDefined()
    time.now += dayMs / 2
    await expect(meter().begin(1)).resolves.toBeDefined()
  })

  it('are set aside before a call, so that calls at once do not pass by the same count', async () => {
    const { meter, days } = await scene(1000)
    const begun = await Promise.allSettled(Array.from({ length: 10 }, () => meter().begin(300)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await days()).toMatchObject([{ input_tokens: 1200 }])
    for (const one of begun) if (one.status === 'fulfilled') await one.value(usage(10, 1))
    expect(await days()).toMatchObject([{ input_tokens: 40, output_tokens: 4, calls: 4 }])
  })

  it('count for the day on which a call began', async () => {
    const { meter, time, days } = await scene(1000)
    const settle = await meter().begin(300)
    time.now += dayMs
    await settle(usage(10, 1))
    expect(await days()).toEqual([{ day: 100, input_tokens: 10, output_tokens: 1, calls: 1 }])
  })
})

describe('the model of a team', () => {
  it('is counted with what it was corrected for, and asked no more once the day is spent', async () => {
    const { budget, id, days } = await scene(60)
    const script = [
      { turns: [[{ text: '' }, { text: 'In the south, as every year, and not in the north.' }]] },
    ]
    const model = teamModels(scriptedModel(script as Parameters<typeof scriptedModel>[0]), budget)(id)
    const prompt = { system: 'Be brief.', text: 'Where is the harbour of this town, and when does it open?' }
    const { usage: used } = await model.write(prompt, AbortSignal.timeout(5000))
    const [day] = await days()
    expect(day).toMatchObject({ input_tokens: used.inputTokens, output_tokens: used.outputTokens, calls: 2 })
    await expect(async () => {
      for (let call = 0; call < 5; call++) await model.write(prompt, AbortSignal.timeout(5000))
    }).rejects.toMatchObject({ code: 'MODEL_BUDGET_SPENT' })
  })
})
