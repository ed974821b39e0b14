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

const open = async (body: object = {}): Promise<Json> => {
  const answer = await call('POST', '/v2/browser', { body })
  expect(answer.body).toMatchObject({ success: true })
  return answer.body
}
const details = async (id: string): Promise<Json> => (await call('GET', `/v2/browser/${id}`)).body
const execute = (id: string, body: object) => call('POST', `/v2/browser/${id}/execute`, { body })
const end = (id: string) => call('DELETE', `/v2/browser/${id}`)
/** The same address at each process of the deployment. */
const everywhere = (address: string) =>
  inject('deployment').urls.map((url) => address.replace(/^ws:\/\/[^/]+/, url.replace('http', 'ws')))

// Each has sessions of its own, and the one that waits longest begins first.
/** Timers are exact to a few milliseconds; a machine under load may call them late. */
const within = (ms: number, expected: number) => ms > expected - 50 && ms < expected + 4000

describe.concurrent('the end of a session', () => {
  it('comes with its ttl and with its inactivity, to the second', { timeout: 90_000 }, async ({ expect }) => {
    const [used, left] = await Promise.all([
      open({ ttl: 30, activityTtl: 10 }),
      open({ ttl: 600, activityTtl: 10 }),
    ])
    const socket = await devtools(left.cdpUrl)
    const silent = await Promise.all(everywhere(used.cdpUrl).map(devtools))
    // Being connected is no activity; a call is.
    const calls = setInterval(() => void execute(used.id, { code: '1' }), 4000)
    await expect.poll(async () => (await details(left.id)).status, { timeout: 60_000 }).toBe('destroyed')
    // Nor is silence a reason to lose a connection, also where it leads through another process.
    for (const quiet of silent) expect((await quiet.send('Browser.getVersion')).result).toBeDefined()
    await expect.poll(async () => (await details(used.id)).status, { timeout: 60_000 }).toBe('destroyed')
    clearInterval(calls)
    for (const quiet of silent) await quiet.closed
    expect(await socket.closed).toBeGreaterThan(1000)
    const [byAge, byRest] = [await details(used.id), await details(left.id)]
    expect(within(byAge.sessionDurationMs, 30_000)).toBe(true)
    expect(byRest.status).toBe('destroyed')
    const idle = Date.parse(byRest.createdAt) + byRest.sessionDurationMs - Date.parse(byRest.lastActivity)
    expect(within(idle, 10_000)).toBe(true)
  })

  it('comes when a client closes the browser, and is billed', async ({ expect }) => {
    const { id, cdpUrl } = await open()
    const socket = await devtools(cdpUrl)
    void socket.send('Browser.close')
    await socket.closed
    await expect.poll(async () => (await details(id)).status).toBe('destroyed')
    expect((await details(id)).creditsBilled).toBe(2)
  })

  it('does not come when a client leaves', async () => {
    const { id, cdpUrl } = await open()
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
    const session = await open({ ttl: 120, activityTtl: 60 })
    const { id } = session
    expect(session.cdpUrl).toMatch(new RegExp(`^ws://.+/cdp/${id}\\?token=`))
    expect(session.liveViewUrl).toMatch(new RegExp(`^http://.+/live/${id}\\?token=`))
    expect(session.interactiveLiveViewUrl).toMatch(/&interactive=true$/)
    expect(Date.parse(session.expiresAt) - Date.now()).toBeLessThanOrEqual(120_000)

    const went = await execute(id, { code: `await page.goto('${site.url}/pages/3'); console.log('there')` })
    expect(went.body).toMatchObject({ success: true, stdout: 'there\n', exitCode: 0, killed: false })
    const kept = await execute(id, { code: 'await page.title()' })
    expect(kept.body.result).toContain('3')

    const { sessions } = (await call('GET', '/v2/browser?status=active')).body
    expect(sessions.find((listed: Json) => listed.id === id)).toMatchObject({
      status: 'active',
      cdpUrl: expect.any(String),
      streamWebView: true,
      lastActivity: expect.any(String),
    })
    expect((await details(id)).creditsBilled).toBeUndefined()

    const ended = await end(id)
    expect(ended.body).toMatchObject({ success: true, status: 'destroyed', creditsBilled: 2 })
    expect(ended.body.sessionDurationMs).toBeGreaterThan(0)
    expect((await end(id)).body).toEqual(ended.body)
    expect(await details(id)).toMatchObject({ status: 'destroyed', creditsBilled: 2 })
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

  it('tells code that failed by its error, and goes on', async () => {
    const { id } = await open()
    const thrown = (await execute(id, { code: 'throw new Error("no luck")' })).body
    expect(thrown).toMatchObject({ success: true, exitCode: 1, killed: false })
    expect(thrown.error).toContain('no luck')
    const endless = (await execute(id, { code: 'while (true) {}', timeout: 1 })).body
    expect(endless).toMatchObject({ success: true, killed: true })
    expect(endless.error).toContain('time')
    expect((await execute(id, { code: '"still here"' })).body.result).toBe('still here')
    await end(id)
  })

  it('answers 410 once it has ended', async () => {
    const { id, cdpUrl } = await open()
    await end(id)
    const { status, body } = await execute(id, { code: '1' })
    expect([status, body.code]).toEqual([410, 'SESSION_DESTROYED'])
    expect(body.error).toContain('destroyed')
    for (const address of everywhere(cdpUrl)) expect(await upgradeStatus(address)).toBe(410)
  })

  it('is listed among the calls of the team', async () => {
    const { id } = await open()
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
  ])('refuses %s %j before anything is opened', async (name, value) => {
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
  ])('refuses to execute what does not fit (%#)', async (body) => {
    const answer = await execute('01a1de70-d518-7569-bd57-c6f31e2c5271', body)
    expect(answer.status).toBe(400)
  })

  it.each(['nothing', '01a1de70-d518-7569-bd57-c6f31e2c5271'])('is not found under %s', async (id) => {
    for (const { status, body } of [await call('GET', `/v2/browser/${id}`), await end(id)]) {
      expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
      expect(body.error).toContain('not found')
    }
  })
})

describe.concurrent('the addresses of a session', () => {
  it('work at every process, for those who have the token', async () => {
    const { id, cdpUrl } = await open()
    for (const address of everywhere(cdpUrl)) {
      const socket = await devtools(address)
      expect((await socket.send('Browser.getVersion')).result.product).toContain('Chrome')
      socket.close()
      expect(await upgradeStatus(address.replace(/token=.*/, 'token=wrong'))).toBe(401)
    }
    await end(id)
  })

  it('open nothing else: not another session, and no other right', async () => {
    const [one, two] = await Promise.all([open(), open({ streamWebView: false })])
    expect(await upgradeStatus(one.cdpUrl.replace(one.id, two.id))).toBe(401)
    const view = new URL(one.liveViewUrl.replace('http', 'ws'))
    expect(await upgradeStatus(view.href.replace('/live/', '/cdp/'))).toBe(401)
    expect(await upgradeStatus(`${view.href}&interactive=true`)).toBe(401)
    expect([two.liveViewUrl, two.interactiveLiveViewUrl]).toEqual(['', ''])
    await Promise.all([end(one.id), end(two.id)])
  })
})

describe.concurrent('the profile of a session', () => {
  const note = (text: string) =>
    `await page.goto('${site.url}/pages/1'); await page.evaluate(() => localStorage.setItem('note', '${text}'))`
  const read = () =>
    `await page.goto('${site.url}/pages/1'); await page.evaluate(() => localStorage.getItem('note'))`
  const inProfile = (saveChanges: boolean) => open({ profile: { name: 'diary', saveChanges } })

  it('is saved by every clean end, and loaded by the next session', { timeout: 90_000 }, async ({
    expect,
  }) => {
    const first = await inProfile(true)
    await execute(first.id, { code: note('by deletion') })
    const second = await call('POST', '/v2/browser', { body: { profile: { name: 'diary' } } })
    expect([second.status, second.body.code]).toEqual([409, 'PROFILE_IN_USE'])
    await end(first.id)

    const closed = await inProfile(true)
    expect((await execute(closed.id, { code: read() })).body.result).toBe('by deletion')
    await execute(closed.id, { code: note('by the client') })
    const socket = await devtools(closed.cdpUrl)
    void socket.send('Browser.close')
    await socket.closed
    await expect.poll(async () => (await details(closed.id)).status).toBe('destroyed')

    const reader = await inProfile(false)
    expect((await execute(reader.id, { code: read() })).body.result).toBe('by the client')
    await execute(reader.id, { code: note('by nobody') })
    await end(reader.id)
    const last = await inProfile(false)
    expect((await execute(last.id, { code: read() })).body.result).toBe('by the client')
    await end(last.id)
    expect((await call('DELETE', '/v2/browser/profiles/diary')).body).toEqual({ success: true })
  })
})
