import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { devtools, upgradeStatus } from '../sessions.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const openSession = async (body: object = {}): Promise<Json> => {
  const answer = await call('POST', '/v2/browser', { body })
  expect(answer.body).toMatchObject({ success: true })
  return answer.body
}
const getSession = async (id: string): Promise<Json> => (await call('GET', `/v2/browser/${id}`)).body
const execute = (id: string, body: object) => call('POST', `/v2/browser/${id}/execute`, { body })
const end = (id: string) => call('DELETE', `/v2/browser/${id}`)
/** Returns the same URL at each process of the deployment. */
const atEveryProcess = (wsUrl: string) =>
  inject('deployment').urls.map((url) => wsUrl.replace(/^ws:\/\/[^/]+/, url.replace('http', 'ws')))

// Each test uses separate sessions. The slowest test starts first.
/** Returns true if a duration is as expected. Timers are exact to a few milliseconds, but late under load. */
const isWithin = (ms: number, expected: number) => ms > expected - 50 && ms < expected + 4000

describe.concurrent('the end of a session', () => {
  it('ends after its ttl and after inactivity, to the second', { timeout: 90_000 }, async ({ expect }) => {
    const [active, inactive] = await Promise.all([
      openSession({ ttl: 30, activityTtl: 10 }),
      openSession({ ttl: 600, activityTtl: 10 }),
    ])
    const socket = await devtools(inactive.cdpUrl)
    const silentSockets = await Promise.all(atEveryProcess(active.cdpUrl).map(devtools))
    // A connection is not activity, but a call is.
    const calls = setInterval(() => void execute(active.id, { code: '1' }), 4000)
    await expect
      .poll(async () => (await getSession(inactive.id)).status, { timeout: 60_000 })
      .toBe('destroyed')
    // Silence does not close a connection either, even through another process.
    for (const silentSocket of silentSockets)
      expect((await silentSocket.send('Browser.getVersion')).result).toBeDefined()
    await expect.poll(async () => (await getSession(active.id)).status, { timeout: 60_000 }).toBe('destroyed')
    clearInterval(calls)
    for (const silentSocket of silentSockets) await silentSocket.closed
    expect(await socket.closed).toBeGreaterThan(1000)
    const [expired, timedOut] = [await getSession(active.id), await getSession(inactive.id)]
    expect(isWithin(expired.sessionDurationMs, 30_000)).toBe(true)
    expect(timedOut.status).toBe('destroyed')
    const idle =
      Date.parse(timedOut.createdAt) + timedOut.sessionDurationMs - Date.parse(timedOut.lastActivity)
    expect(isWithin(idle, 10_000)).toBe(true)
  })

  it('comes when a client closes the browser, and is billed', async ({ expect }) => {
    const { id, cdpUrl } = await openSession()
    const socket = await devtools(cdpUrl)
    void socket.send('Browser.close')
    await socket.closed
    await expect.poll(async () => (await getSession(id)).status).toBe('destroyed')
    expect((await getSession(id)).creditsBilled).toBe(2)
  })

  it('does not come when a client disconnects', async () => {
    const { id, cdpUrl } = await openSession()
    const browser = await chromium.connectOverCDP(cdpUrl)
    const [page] = browser.contexts()[0]?.pages() ?? []
    await page?.goto(`${site.url}/pages/4`)
    await browser.close()
    expect((await execute(id, { code: 'page.url()' })).body.result).toBe(`${site.url}/pages/4`)
    await end(id)
  })
})

describe.concurrent('a browser session', () => {
  it('is opened, used, listed, read and ended', async () => {
    const session = await openSession({ ttl: 120, activityTtl: 60 })
    const { id } = session
    expect(session.cdpUrl).toMatch(new RegExp(`^ws://.+/cdp/${id}\\?token=`))
    expect(session.liveViewUrl).toMatch(new RegExp(`^http://.+/live/${id}\\?token=`))
    expect(session.interactiveLiveViewUrl).toMatch(/&interactive=true$/)
    expect(Date.parse(session.expiresAt) - Date.now()).toBeLessThanOrEqual(120_000)

    const navigated = await execute(id, {
      code: `await page.goto('${site.url}/pages/3'); console.log('there')`,
    })
    expect(navigated.body).toMatchObject({ success: true, stdout: 'there\n', exitCode: 0, killed: false })
    const title = await execute(id, { code: 'await page.title()' })
    expect(title.body.result).toContain('3')

    const { sessions } = (await call('GET', '/v2/browser?status=active')).body
    expect(sessions.find((listed: Json) => listed.id === id)).toMatchObject({
      status: 'active',
      cdpUrl: expect.any(String),
      streamWebView: true,
      lastActivity: expect.any(String),
    })
    expect((await getSession(id)).creditsBilled).toBeUndefined()

    const ended = await end(id)
    expect(ended.body).toMatchObject({ success: true, status: 'destroyed', creditsBilled: 2 })
    expect(ended.body.sessionDurationMs).toBeGreaterThan(0)
    expect((await end(id)).body).toEqual(ended.body)
    expect(await getSession(id)).toMatchObject({ status: 'destroyed', creditsBilled: 2 })
    const listed = (await call('GET', '/v2/browser?status=destroyed')).body.sessions
    expect(listed.map((other: Json) => other.id)).toContain(id)
  })

  it('is served under /v2/interact as well', async () => {
    const { body } = await call('POST', '/v2/interact', { body: { recordSession: true } })
    expect(body.warning).toContain('recordSession')
    const ran = await call('POST', `/v2/interact/${body.id}/execute`, { body: { code: '1 + 1' } })
    expect(ran.body.result).toBe('2')
    expect((await call('GET', `/v2/interact/${body.id}`)).body.status).toBe('active')
    expect((await call('GET', '/v2/interact')).body.sessions.length).toBeGreaterThan(0)
    expect((await call('GET', `/v2/interact/${body.id}/replay`)).body.code).toBe('REPLAY_NOT_FOUND')
    expect((await call('DELETE', `/v2/interact/${body.id}`)).status).toBe(200)
  })

  it('returns the error of failed code, and continues', async () => {
    const { id } = await openSession()
    const thrown = (await execute(id, { code: 'throw new Error("no luck")' })).body
    expect(thrown).toMatchObject({ success: true, exitCode: 1, killed: false })
    expect(thrown.error).toContain('no luck')
    const endless = (await execute(id, { code: 'while (true) {}', timeout: 1 })).body
    expect(endless).toMatchObject({ success: true, killed: true })
    expect(endless.error).toContain('time')
    expect((await execute(id, { code: '"still here"' })).body.result).toBe('still here')
    await end(id)
  })

  it('returns 410 after its end', async () => {
    const { id, cdpUrl } = await openSession()
    await end(id)
    const { status, body } = await execute(id, { code: '1' })
    expect([status, body.code]).toEqual([410, 'SESSION_DESTROYED'])
    expect(body.error).toContain('destroyed')
    for (const wsUrl of atEveryProcess(cdpUrl)) expect(await upgradeStatus(wsUrl)).toBe(410)
  })

  it('is listed in the activity of the team', async () => {
    const { id } = await openSession()
    await end(id)
    const { data } = (await call('GET', '/v2/team/activity?endpoint=browser')).body
    expect(data.map((job: Json) => job.id)).toContain(id)
  })

  it.each([
    ['ttl', 29],
    ['ttl', 3601],
    ['ttl', 30.5],
    ['activityTtl', 9],
    ['profile', {}],
    ['profile', { name: '' }],
    ['colour', 'red'],
  ])('rejects %s %j before a browser is opened', async (name, value) => {
    const { status, body } = await call('POST', '/v2/browser', { body: { [name]: value } })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it.each([
    [{}],
    [{ code: '' }],
    [{ code: 'x'.repeat(100_001) }],
    [{ code: '1', language: 'perl' }],
    [{ code: '1', timeout: 0 }],
    [{ code: '1', timeout: 301 }],
  ])('rejects an invalid execute request (%#)', async (body) => {
    const answer = await execute('01a1de70-d518-7569-bd57-c6f31e2c5271', body)
    expect(answer.status).toBe(400)
  })

  it.each(['nothing', '01a1de70-d518-7569-bd57-c6f31e2c5271'])('returns 404 for the id %s', async (id) => {
    for (const { status, body } of [await call('GET', `/v2/browser/${id}`), await end(id)]) {
      expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
      expect(body.error).toContain('not found')
    }
  })
})

describe.concurrent('the URLs of a session', () => {
  it('serves DevTools at every process to clients with the token', async () => {
    const { id, cdpUrl } = await openSession()
    for (const wsUrl of atEveryProcess(cdpUrl)) {
      const socket = await devtools(wsUrl)
      expect((await socket.send('Browser.getVersion')).result.product).toContain('Chrome')
      socket.close()
      expect(await upgradeStatus(wsUrl.replace(/token=.*/, 'token=wrong'))).toBe(401)
    }
    await end(id)
  })

  it('opens only its own session, and no other permission', async () => {
    const [first, second] = await Promise.all([openSession(), openSession({ streamWebView: false })])
    expect(await upgradeStatus(first.cdpUrl.replace(first.id, second.id))).toBe(401)
    const view = new URL(first.liveViewUrl.replace('http', 'ws'))
    expect(await upgradeStatus(view.href.replace('/live/', '/cdp/'))).toBe(401)
    expect(await upgradeStatus(`${view.href}&interactive=true`)).toBe(401)
    expect([second.liveViewUrl, second.interactiveLiveViewUrl]).toEqual(['', ''])
    await Promise.all([end(first.id), end(second.id)])
  })
})

describe.concurrent('the profile of a session', () => {
  const writeNote = (text: string) =>
    `await page.goto('${site.url}/pages/1'); await page.evaluate(() => localStorage.setItem('note', '${text}'))`
  const readNote = () =>
    `await page.goto('${site.url}/pages/1'); await page.evaluate(() => localStorage.getItem('note'))`
  const openWithProfile = (saveChanges: boolean) => openSession({ profile: { name: 'diary', saveChanges } })

  it('is saved at every regular end, and loaded by the next session', { timeout: 90_000 }, async ({
    expect,
  }) => {
    const first = await openWithProfile(true)
    await execute(first.id, { code: writeNote('by deletion') })
    const second = await call('POST', '/v2/browser', { body: { profile: { name: 'diary' } } })
    expect([second.status, second.body.code]).toEqual([409, 'PROFILE_IN_USE'])
    await end(first.id)

    const closed = await openWithProfile(true)
    expect((await execute(closed.id, { code: readNote() })).body.result).toBe('by deletion')
    await execute(closed.id, { code: writeNote('by the client') })
    const socket = await devtools(closed.cdpUrl)
    void socket.send('Browser.close')
    await socket.closed
    await expect.poll(async () => (await getSession(closed.id)).status).toBe('destroyed')

    const reader = await openWithProfile(false)
    expect((await execute(reader.id, { code: readNote() })).body.result).toBe('by the client')
    await execute(reader.id, { code: writeNote('by nobody') })
    await end(reader.id)
    const last = await openWithProfile(false)
    expect((await execute(last.id, { code: readNote() })).body.result).toBe('by the client')
    await end(last.id)
    expect((await call('DELETE', '/v2/browser/profiles/diary')).body).toEqual({ success: true })
  })
})
