import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, type Json, scrape } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { logIn } from '../site/routes/account.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
/** Resolves when the test opens the gate of the page. */
const gateOpened = Promise.withResolvers<void>()
const gate = `<script>fetch('/gate').then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'open', textContent: 'open' })))</script>`
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/gated': (exchange) => sendHtml(exchange, page('Gate', gate)),
      '/gate': async ({ response }) => {
        await gateOpened.promise
        response.end()
      },
    },
  })
})
afterAll(() => site.stop())

const countVisit = logIn.slice(-1)

const account = (options: object) => ({
  url: `${site.url}/account`,
  onlyMainContent: false,
  ...options,
})

const visit = async (profile: object, options: object = {}): Promise<Json> =>
  (await scrape(account({ profile, ...options }))).body

const outcome = ({ status, body }: Answer) => ({ status, code: body.code })
const inUse = { status: 409, code: 'PROFILE_IN_USE' }

// Each test uses a separate profile.
describe.concurrent('a profile', () => {
  it('keeps logins and stored data of pages, from one scrape to the next', async () => {
    const first = await visit({ name: 'kept' }, { actions: logIn })
    expect(first.data.markdown).toContain('Visits: 1 and 1.')
    expect(first.data.warning ?? '').not.toContain('profile')
    const second = await visit({ name: 'kept' }, { actions: countVisit })
    expect(second.data.markdown).toContain('Visits: 2 and 2.')
    const third = await visit({ name: 'kept' })
    expect(third.data.markdown).toContain('Logged in as Ada.')
  })

  it('is loaded but not saved if saveChanges is false', async () => {
    await visit({ name: 'read' }, { actions: logIn })
    for (const _ of [1, 2]) {
      const { data } = await visit({ name: 'read', saveChanges: false }, { actions: countVisit })
      expect(data.markdown).toContain('Visits: 2 and 2.')
    }
    await visit({ name: 'never written', saveChanges: false }, { actions: logIn })
    const { data } = await visit({ name: 'never written', saveChanges: false })
    expect(data.markdown).not.toContain('Logged in')
  })

  it('is separate for each name, and its pages are never cached', async () => {
    await visit({ name: 'mine' }, { actions: logIn })
    expect((await visit({ name: 'mine too' })).data.markdown).not.toContain('Logged in')
    const withoutProfile = await scrape(account({ maxAge: 0, storeInCache: false }))
    expect(withoutProfile.body.data.markdown).not.toContain('Logged in')
    expect(outcome(await scrape(account({ minAge: 1 })))).toEqual({
      status: 404,
      code: 'SCRAPE_NO_CACHED_DATA',
    })
  })

  it('is not saved by a scrape that failed', async () => {
    const failing = [...logIn, { type: 'executeJavascript', script: 'throw new Error("on purpose")' }]
    const { code } = await visit({ name: 'failed' }, { actions: failing })
    expect(code).toBe('SCRAPE_ACTION_ERROR')
    expect((await visit({ name: 'failed' })).data.markdown).not.toContain('Logged in')
  })

  it('has one writer at a time, which blocks deletion, and any number of readers', async ({ expect }) => {
    await visit({ name: 'busy' }, { actions: logIn })
    const actions = [{ type: 'wait', selector: '#open' }]
    const first = scrape({ url: `${site.url}/gated`, profile: { name: 'busy' }, actions })
    await expect.poll(() => site.hits('/gate'), { timeout: 30_000 }).toBe(1)
    const second = await scrape(account({ profile: { name: 'busy' } }))
    expect(outcome(second)).toEqual(inUse)
    expect(outcome(await call('DELETE', '/v2/browser/profiles/busy'))).toEqual(inUse)
    const { profiles } = (await call('GET', '/v2/browser/profiles')).body
    expect(profiles).toContainEqual({ name: 'busy', savedAt: expect.any(String), inUse: true })
    const readers = [1, 2].map(() => visit({ name: 'busy', saveChanges: false }, { actions: countVisit }))
    for (const { data } of await Promise.all(readers)) expect(data.markdown).toContain('Visits: 2 and 2.')
    gateOpened.resolve()
    const { body } = await first
    expect(second.body.heldBy).toBe(body.data.metadata.scrapeId)
    const after = await visit({ name: 'busy' }, { actions: countVisit })
    expect(after.data.markdown).toContain('Visits: 2 and 2.')
  })

  it.each([
    ['browser', 'deleted'],
    ['interact', '名'.repeat(128)],
  ])('is deleted under %s, even if it does not exist', async (endpoint, name) => {
    await visit({ name }, { actions: logIn })
    const path = `/v2/${endpoint}/profiles/${encodeURIComponent(name)}`
    for (const _ of [1, 2]) {
      const { status, body } = await call('DELETE', path)
      expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    }
    expect((await visit({ name, saveChanges: false })).data.markdown).not.toContain('Logged in')
  })

  it('provides its cookies for a file, and warns that it was not saved', async () => {
    await visit({ name: 'files' }, { actions: logIn })
    const url = `${site.url}/account/orders.csv`
    const { body } = await scrape({ url, profile: { name: 'files' } })
    expect(body.data.markdown).toContain('Ada')
    expect(body.data.warning).toContain('The profile was not saved')
    const readOnly = await scrape({ url, profile: { name: 'files', saveChanges: false } })
    expect(readOnly.body.data.warning).toBeUndefined()
  })

  it.each([
    ['fastMode', { fastMode: true }],
    ['lockdown', { lockdown: true }],
    ['minAge', { minAge: 1 }],
    ['zeroDataRetention', { zeroDataRetention: true }],
  ])('is rejected with %s', async (option, options) => {
    const { status, body } = await scrape(account({ profile: { name: 'refused' }, ...options }))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(body.error).toContain(option)
  })

  it.each([{ name: '' }, { name: 'a'.repeat(129) }, {}, { name: 'a', save: true }])(
    'is rejected as %j',
    async (profile) => {
      expect(outcome(await scrape(account({ profile })))).toEqual({ status: 400, code: 'BAD_REQUEST' })
    },
  )

  it('is loaded by pages of a batch and of a crawl, and saved by none of them', async ({ expect }) => {
    await visit({ name: 'many' }, { actions: logIn })
    const urls = [`${site.url}/account?page=1`, `${site.url}/account?page=2`]
    const url = `${site.url}/account`
    const saving = { profile: { name: 'many' } }
    const unavailable = { status: 400, code: 'OPTION_NOT_AVAILABLE' }
    expect(outcome(await call('POST', '/v2/batch/scrape', { body: { urls, ...saving } }))).toEqual(
      unavailable,
    )
    const crawl = { url, limit: 1, sitemap: 'skip', scrapeOptions: saving }
    expect(outcome(await call('POST', '/v2/crawl', { body: crawl }))).toEqual(unavailable)

    const loading = {
      profile: { name: 'many', saveChanges: false },
      onlyMainContent: false,
      actions: countVisit,
    }
    const started = [
      await call('POST', '/v2/batch/scrape', { body: { urls, ...loading } }),
      await call('POST', '/v2/crawl', { body: { ...crawl, scrapeOptions: loading } }),
    ]
    for (const { body } of started) {
      const path = new URL(body.url).pathname
      await expect
        .poll(async () => (await call('GET', path)).body.status, { timeout: 40_000 })
        .toBe('completed')
      for (const document of (await call('GET', path)).body.data)
        expect(document.markdown).toContain('Visits: 2 and 2.')
    }
  })
})
