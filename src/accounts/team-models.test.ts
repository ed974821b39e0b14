import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { scriptedModel } from '../platform/language-model/scripted.ts'
import { silentLog } from '../platform/log.ts'
import type { Usage } from '../platform/ports/language-model.ts'
import { listModelUsageSince } from '../store/jobs/daily-usage.ts'
import { createTeamModels, createTokenBudget, dayMs } from './team-models.ts'

afterEach(endJobScenes)

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens })
const { signal } = new AbortController()

async function scene(tokensPerDay: number) {
  const { store, deps, time, team } = await jobScene()
  time.now = 100 * dayMs + dayMs / 2
  const { id } = await team('asker')
  const { id: other } = await team('other')
  const budget = { store, clock: deps.clock, log: silentLog, tokensPerDay, concurrency: 4 }
  return {
    ...{ time, id, other, budget },
    /** Counts a request with this estimate. Without usage, the request fails. */
    async count(estimate: number, used?: Promise<Usage> | Usage, teamId = id) {
      const send = async () => {
        if (used === undefined) throw new Error('no answer')
        return { usage: await used }
      }
      return createTokenBudget(budget, teamId).sendCounted(estimate, signal, send)
    },
    days: (teamId = id) => listModelUsageSince(store.query, { teamId, day: 0 }),
  }
}

describe('createTokenBudget', () => {
  it('counts tokens by day, without a limit if it is 0', async () => {
    const { count, time, days, other } = await scene(0)
    for (const tokens of [10_000, 20_000]) await count(999, usage(tokens, 5))
    time.now += dayMs
    await count(999, usage(7, 1))
    expect(await days()).toEqual([
      { day: 100, input_tokens: 30_000, output_tokens: 10, calls: 2 },
      { day: 101, input_tokens: 7, output_tokens: 1, calls: 1 },
    ])
    expect(await days(other)).toEqual([])
  })

  it('does not count a call that failed', async () => {
    const free = await scene(0)
    await expect(free.count(999)).rejects.toThrow('no answer')
    expect(await free.days()).toEqual([])
    const limited = await scene(5000)
    await expect(limited.count(999)).rejects.toThrow('no answer')
    expect(await limited.days()).toEqual([{ day: 100, input_tokens: 0, output_tokens: 0, calls: 0 }])
  })

  it('rejects calls when the budget of the day is spent, until the next day', async () => {
    const { count, time, other } = await scene(1000)
    await count(100, usage(900, 99))
    await count(100, usage(100, 1))
    await expect(count(1, usage(1, 1))).rejects.toMatchObject({
      code: 'MODEL_BUDGET_SPENT',
      detail: {
        limit: 1000,
        retryAfter: 43_200,
        hint: expect.stringContaining('MODEL_TOKENS_PER_TEAM_PER_DAY'),
      },
    })
    await expect(count(1, usage(1, 1), other)).resolves.toBeDefined()
    time.now += dayMs / 2
    await expect(count(1, usage(1, 1))).resolves.toBeDefined()
  })

  it('reserves the estimate before a call, so that concurrent calls cannot exceed the budget', async () => {
    const { count, days } = await scene(1000)
    const response = Promise.withResolvers<Usage>()
    let rejectedCount = 0
    const requests = Array.from({ length: 10 }, () =>
      count(300, response.promise).catch(() => rejectedCount++),
    )
    await expect.poll(() => rejectedCount).toBe(6)
    expect(await days()).toMatchObject([{ input_tokens: 1200 }])
    response.resolve(usage(10, 1))
    await Promise.all(requests)
    expect(await days()).toMatchObject([{ input_tokens: 40, output_tokens: 4, calls: 4 }])
  })

  it('counts usage on the day on which the call began', async () => {
    const { count, time, days } = await scene(1000)
    const response = Promise.withResolvers<Usage>()
    const request = count(300, response.promise)
    await expect.poll(() => days()).toMatchObject([{ input_tokens: 300 }])
    time.now += dayMs
    response.resolve(usage(10, 1))
    await request
    expect(await days()).toEqual([{ day: 100, input_tokens: 10, output_tokens: 1, calls: 1 }])
  })
})

describe('createTeamModels', () => {
  it('counts corrections of the response, and rejects calls when the budget is spent', async () => {
    const { budget, id, days } = await scene(60)
    const script = [
      { turns: [[{ text: '' }, { text: 'In the south, as every year, and not in the north.' }]] },
    ]
    const model = createTeamModels(scriptedModel(script as Parameters<typeof scriptedModel>[0]), budget)(id)
    const prompt = { system: 'Be brief.', text: 'Where is the harbour of this town, and when does it open?' }
    const { usage: used } = await model.write(prompt, AbortSignal.timeout(5000))
    const [day] = await days()
    expect(day).toMatchObject({ input_tokens: used.inputTokens, output_tokens: used.outputTokens, calls: 2 })
    await expect(async () => {
      for (let call = 0; call < 5; call++) await model.write(prompt, AbortSignal.timeout(5000))
    }).rejects.toMatchObject({ code: 'MODEL_BUDGET_SPENT' })
  })
})

describe('permits of the model', () => {
  it('are released if the budget rejects a request or the request fails', async () => {
    const { budget, id } = await scene(1)
    const model = createTeamModels(scriptedModel([{ turns: [{ fails: 'busy' }] }]), {
      ...budget,
      concurrency: 1,
    })(id)
    const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
    for (let call = 0; call < 3; call += 1)
      await expect(model.write(prompt, AbortSignal.timeout(5000))).rejects.toMatchObject({
        code: expect.stringMatching(/^MODEL_/),
      })
  })
})
