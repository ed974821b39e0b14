import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'

describe('a team', () => {
  let own: OwnService
  beforeAll(async () => {
    own = await startOwnService({ TEAM_CREDITS: '100', TEAM_BROWSERS: '2' })
  })
  afterAll(() => own.remove())
  /** Creates a team, and returns its calls. */
  const createTeam = async () => {
    const key = await own.newTeam()
    return {
      create: (body: object = {}) => own.call('POST', '/v2/browser', { key, body }),
      end: (id: string) => own.call('DELETE', `/v2/browser/${id}`, { key }),
      remaining: async () =>
        (await own.call('GET', '/v2/team/credit-usage', { key })).body.data.remainingCredits,
    }
  }

  it('reserves credits for the complete lifetime of a session, and pays only for its duration', async () => {
    const { create, end, remaining } = await createTeam()
    const tooExpensive = await create({ ttl: 3600 })
    expect([tooExpensive.status, tooExpensive.body.code]).toEqual([402, 'CREDITS_EXHAUSTED'])
    expect(tooExpensive.body).toMatchObject({ neededCredits: 120, remainingCredits: 100 })
    const { body } = await create({ ttl: 3000 })
    expect((await create({ ttl: 30 })).body).toMatchObject({ code: 'CREDITS_EXHAUSTED', remainingCredits: 0 })
    await end(body.id)
    expect(await remaining()).toBe(98)
  })

  it('cannot exceed its limit of browsers', async () => {
    const { create, end } = await createTeam()
    const [first, second] = [(await create()).body, (await create()).body]
    const third = await create()
    expect([third.status, third.body.code, third.body.limit]).toEqual([429, 'SESSION_LIMIT_REACHED', 2])
    await end(first.id)
    const again = await create()
    expect(again.status).toBe(200)
    for (const { id } of [second, again.body]) await end(id)
  })

  it('cannot access the sessions of another team', async () => {
    const { create, end } = await createTeam()
    const key = await own.newTeam()
    const { id } = (await create()).body
    const responses = [
      await own.call('GET', `/v2/browser/${id}`, { key }),
      await own.call('DELETE', `/v2/browser/${id}`, { key }),
      await own.call('POST', `/v2/browser/${id}/execute`, { key, body: { code: '1' } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await own.call('GET', '/v2/browser', { key })).body.sessions).toEqual([])
    await end(id)
  })
})

describe('a service without a sandbox', () => {
  it('opens no session and runs no code', async () => {
    const own = await startOwnService({ BUBBLEWRAP_PATH: '/usr/bin/no-such-program' })
    const id = '01a1de70-d518-7569-bd57-c6f31e2c5271'
    const answers = [
      await own.call('POST', '/v2/browser', { body: {} }),
      await own.call('POST', `/v2/browser/${id}/execute`, { body: { code: '1' } }),
      await own.call('POST', `/v2/scrape/${id}/interact`, { body: { code: '1' } }),
    ]
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([503, 'SANDBOX_NOT_CONFIGURED'])
    await own.remove()
  })
})
