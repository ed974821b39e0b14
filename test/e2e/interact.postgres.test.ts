import { type Fixture, LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, type OwnService, scrape, startOwnService } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let visits = 0
const gate = Promise.withResolvers<void>()
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/once': (exchange) => {
        visits += 1
        sendHtml(exchange, page('Once', visits === 1 ? '<button id="only">Only now</button>' : '<p>Gone</p>'))
      },
      '/slow-again': async (exchange) => {
        if (exchange.visit > 1) await gate.promise
        sendHtml(exchange, page('Slow', '<p>Opened at last.</p>'))
      },
      '/mirror': (exchange) =>
        sendHtml(
          exchange,
          page(
            'Mirror',
            `<p id="agent">${exchange.request.headers['user-agent']}</p>
            <p id="language">${exchange.request.headers['accept-language']}</p>`,
          ),
        ),
    },
  })
})
afterAll(() => site.stop())

/** Scrapes a page and returns the id of the scrape. */
async function scrapePage(path: string, options: object = {}): Promise<string> {
  const { body } = await scrape({ url: site.url + path, maxAge: 0, ...options })
  return body.data.metadata.scrapeId
}
const interact = (id: string, body: object) => call('POST', `/v2/scrape/${id}/interact`, { body })
const stop = (id: string) => call('DELETE', `/v2/scrape/${id}/interact`)

describe('interact', () => {
  // This test waits for an element that never appears, so the next test runs concurrently.
  it.concurrent('returns 409 if the page cannot be restored, and charges nothing', async () => {
    const id = await scrapePage('/once', { actions: [{ type: 'click', selector: '#only' }] })
    const { status, body } = await interact(id, { code: '1' })
    expect([status, body.code, body.phase]).toEqual([409, 'REPLAY_UNAVAILABLE', 'actions'])
    expect((await stop(id)).status).toBe(404)
    const { data } = (await call('GET', '/v2/team/activity?endpoint=interact')).body
    const failed = data.find((job: Json) => job.target === `${site.url}/once`)
    expect((await call('GET', `/v2/browser/${failed.id}`)).body).toMatchObject({
      creditsBilled: 0,
      error: expect.stringContaining('cannot be opened as it was'),
    })
  })

  it.concurrent('continues on the page of the scrape, call after call, until it is stopped', async () => {
    const id = await scrapePage('/app/actions', {
      actions: [
        { type: 'click', selector: '#name' },
        { type: 'write', text: 'Ada' },
        { type: 'press', key: 'Enter' },
        { type: 'executeJavascript', script: 'document.title = "titled by script"' },
      ],
    })
    const first = await interact(id, { code: `await page.locator('body').innerText()`, origin: 'test' })
    expect(first.body).toMatchObject({ success: true, exitCode: 0, killed: false })
    expect(first.body.result).toContain('hello Ada')
    expect(first.body.cdpUrl).toContain(first.body.sessionId)
    expect(first.body.liveViewUrl).toContain('/live/')
    expect(first.body.interactiveLiveViewUrl).toContain('interactive=true')

    await interact(id, { code: `await page.click('#add')` })
    const second = await interact(id, { code: `await page.locator('body').innerText()` })
    expect(second.body.result).toContain('added')
    expect(second.body.sessionId).toBe(first.body.sessionId)
    expect((await interact(id, { code: 'await page.title()' })).body.result).toContain('titled by script')

    const stopped = await stop(id)
    expect(stopped.body).toMatchObject({ success: true, creditsBilled: 2 })
    expect(stopped.body.sessionDurationMs).toBeGreaterThan(0)
    expect((await stop(id)).body).toEqual(stopped.body)
    const afterStop = await interact(id, { code: '1' })
    expect([afterStop.status, afterStop.body.code]).toEqual([410, 'SESSION_DESTROYED'])
    const { data } = (await call('GET', '/v2/team/activity?endpoint=interact')).body
    expect(data.find((job: Json) => job.id === first.body.sessionId).target).toBe(`${site.url}/app/actions`)
  })

  it('ends at its timeout if the page opens slowly', async () => {
    const id = await scrapePage('/slow-again')
    const first = await interact(id, { code: '1 + 1', timeout: 1 })
    expect([first.status, first.body.code]).toEqual([408, 'INTERACT_TIMEOUT'])
    expect(first.body.phase).toBe('opening the page')
    gate.resolve()
    const later = await interact(id, { code: '1 + 1', timeout: 60 })
    expect(later.body).toMatchObject({ success: true, result: '2' })
    await stop(id)
  })

  it('reports in success if the code succeeded', async () => {
    const id = await scrapePage('/pages/1')
    const failed = await interact(id, { code: 'throw new Error("no luck")' })
    expect([failed.status, failed.body.success, failed.body.exitCode]).toEqual([200, false, 1])
    expect(failed.body.error).toContain('no luck')
    const endless = await interact(id, { code: 'while (true) {}', timeout: 1 })
    expect(endless.body).toMatchObject({ success: false, killed: true })
    await stop(id)
  })

  it('opens one browser for concurrent first calls', async () => {
    const id = await scrapePage('/pages/2')
    const answers = await Promise.all(Array.from({ length: 6 }, () => interact(id, { code: 'page.url()' })))
    expect(answers.map(({ body }) => body.result)).toEqual(Array(6).fill(`${site.url}/pages/2`))
    expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(1)
    await stop(id)
  })

  it('keeps the device and the location of the scrape', async () => {
    const id = await scrapePage('/mirror', { mobile: true, location: { country: 'DE' } })
    const code = `JSON.stringify(await page.evaluate(() => ({
      agent: document.querySelector('#agent').textContent,
      language: document.querySelector('#language').textContent,
      width: innerWidth,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })))`
    const seen = JSON.parse((await interact(id, { code })).body.result)
    expect(seen.agent).toContain('Mobile')
    expect(seen.language).toContain('de-DE')
    expect(seen.zone).toBe('Europe/Berlin')
    await stop(id)
  })

  it('warns that headers of the scrape are not stored', async () => {
    const id = await scrapePage('/pages/5', { headers: { 'x-secret': 'lighthouse' } })
    const { body } = await interact(id, { code: '1' })
    expect(body.warning).toContain('x-secret')
    expect(JSON.stringify(body)).not.toContain('lighthouse')
    await stop(id)
  })

  it('returns 409 if the scrape stored nothing', async () => {
    await scrapePage('/pages/7', { maxAge: undefined })
    const id = await scrapePage('/pages/7', { maxAge: undefined, lockdown: true })
    const { status, body } = await interact(id, { code: '1' })
    expect([status, body.code]).toEqual([409, 'REPLAY_UNAVAILABLE'])
  })

  it.each([
    [{}],
    [{ code: '1', prompt: 'look' }],
    [{ code: '' }],
    [{ prompt: 'x'.repeat(10_001) }],
    [{ code: '1', timeout: 301 }],
    [{ code: '1', ttl: 10 }],
    [{ code: '1', profile: { name: 'mine' } }],
  ])('rejects an invalid body (%#)', async (body) => {
    const answer = await interact('01a1de70-d518-7569-bd57-c6f31e2c5271', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('returns errors for unknown scrapes and sessions', async () => {
    expect((await interact('nothing', { code: '1' })).body.code).toBe('INVALID_JOB_ID')
    expect((await stop('nothing')).body.code).toBe('INVALID_JOB_ID')
    const unknown = '01a1de70-d518-7569-bd57-c6f31e2c5271'
    const missing = await interact(unknown, { code: '1' })
    expect([missing.status, missing.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
    const withoutSession = await stop(await scrapePage('/pages/8'))
    expect([withoutSession.status, withoutSession.body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
  })

  it('requires a model for a prompt', async () => {
    const { status, body } = await interact(await scrapePage('/pages/9'), { prompt: 'Read the title.' })
    expect([status, body.code]).toEqual([503, 'MODEL_NOT_CONFIGURED'])
  })
})

describe('interact with the limits of a team', () => {
  let own: OwnService
  beforeAll(async () => {
    own = await startOwnService({ TEAM_CREDITS: '25', TEAM_BROWSERS: '1' })
  })
  afterAll(() => own.remove())

  it('requires credits, a free slot and a scrape of the team', { timeout: 90_000 }, async () => {
    const scrapeOwn = async (path: string) => {
      const { body } = await own.call('POST', '/v2/scrape', { body: { url: site.url + path } })
      return `/v2/scrape/${body.data.metadata.scrapeId}/interact`
    }
    const [first, second] = [await scrapeOwn('/pages/1'), await scrapeOwn('/pages/2')]
    const code = { code: '1' }
    const tooExpensive = await own.call('POST', first, { body: { ...code, ttl: 3600 } })
    expect([tooExpensive.status, tooExpensive.body.code]).toEqual([402, 'CREDITS_EXHAUSTED'])

    const key = await own.newTeam()
    const foreign = await own.call('POST', first, { key, body: code })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN'])

    expect((await own.call('POST', first, { body: { ...code, ttl: 60 } })).status).toBe(200)
    expect((await own.call('POST', first, { key, body: code })).status).toBe(403)
    expect((await own.call('DELETE', first, { key })).status).toBe(403)
    const overLimit = await own.call('POST', second, { body: { ...code, ttl: 60 } })
    expect([overLimit.status, overLimit.body.code]).toEqual([429, 'SESSION_LIMIT_REACHED'])
    expect((await own.call('DELETE', first)).body.creditsBilled).toBe(2)
  })
})

describe('interact with a model', () => {
  const model = new LLMock({ port: 0, logLevel: 'silent', strict: true })
  let own: OwnService
  beforeAll(async () => {
    await model.start()
    own = await startOwnService({
      ...{ MODEL_URL: `${model.url}/v1`, MODEL_KEY: 'key', MODEL_NAME: 'small', TEAM_CREDITS: '200' },
    })
  })
  afterAll(async () => {
    await own.remove()
    await model.stop()
  })

  /** Sets the reply of the model for every conversation that contains this prompt. */
  const setReply = (prompt: string, response: Fixture['response']) =>
    model.addFixture({
      match: { predicate: ({ messages }) => JSON.stringify(messages).includes(prompt) },
      response,
    })
  const countRequests = (prompt: string) =>
    model.getRequests().filter(({ body }) => JSON.stringify(body).includes(prompt)).length
  const pathFor = async (page: string) => {
    const { body } = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}${page}` } })
    return `/v2/scrape/${body.data.metadata.scrapeId}/interact`
  }
  const remainingCredits = async () =>
    (await own.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits

  it('carries out a prompt, which costs more', { timeout: 90_000 }, async () => {
    setReply('What is this?', { toolCalls: [{ name: 'done', arguments: '{"answer": "It is a page."}' }] })
    const path = await pathFor('/pages/1')
    const plain = await own.call('POST', path, { body: { code: 'page.url()', ttl: 60 } })
    expect(plain.body).toMatchObject({ success: true, result: `${site.url}/pages/1` })
    const prompted = await own.call('POST', path, { body: { prompt: 'What is this?', timeout: 60 } })
    expect(prompted.body).toMatchObject({
      success: true,
      output: 'It is a page.',
      exitCode: 0,
      killed: false,
    })
    expect(prompted.body.result).toContain('page 1')
    expect((await own.call('DELETE', path)).body.creditsBilled).toBe(7)
    // A full session with a prompt costs more than the remaining credits.
    const tooExpensive = await own.call('POST', await pathFor('/pages/2'), {
      body: { prompt: 'What is this?', ttl: 3600 },
    })
    expect([tooExpensive.status, tooExpensive.body.neededCredits]).toEqual([402, 420])
  })

  it('requests another reply if the model replies with text, and then accepts the text', async () => {
    setReply('Put it into words.', { content: 'It is a page, in words.' })
    const path = await pathFor('/pages/3')
    const prompted = await own.call('POST', path, { body: { prompt: 'Put it into words.', ttl: 60 } })
    expect(prompted.body).toMatchObject({ success: true, output: 'It is a page, in words.', exitCode: 0 })
    expect(countRequests('Put it into words.')).toBe(2)
    await own.call('DELETE', path)
  })

  it('charges nothing for a task that fails immediately', { timeout: 90_000 }, async () => {
    setReply('Fail at once.', { toolCalls: [{ name: 'shell', arguments: '{}' }] })
    const [withoutSession, withSession] = [await pathFor('/pages/4'), await pathFor('/pages/5')]
    const creditsBefore = await remainingCredits()
    const failingPrompt = { body: { prompt: 'Fail at once.', ttl: 60 } }
    const failed = await own.call('POST', withoutSession, failingPrompt)
    expect([failed.status, failed.body.code, failed.body.steps]).toEqual([502, 'MODEL_FAILED', 0])
    // The failed session is closed, and the scrape can have another one.
    expect((await own.call('DELETE', withoutSession)).status).toBe(404)
    expect(await remainingCredits()).toBe(creditsBefore)
    expect((await own.call('POST', withoutSession, failingPrompt)).status).toBe(502)

    await own.call('POST', withSession, { body: { code: '1', ttl: 60 } })
    expect((await own.call('POST', withSession, failingPrompt)).status).toBe(502)
    expect((await own.call('DELETE', withSession)).body.creditsBilled).toBe(2)
    expect(await remainingCredits()).toBe(creditsBefore - 2)
  })
})
