import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, type Json, scrape } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { logIn } from '../site/routes/account.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
/** A page that is not done before the test says so. */
const opened = Promise.withResolvers<void>()
const gate = `<script>fetch('/gate').then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'open', textContent: 'open' })))</script>`
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/gated': (exchange) => sendHtml(exchange, page('Gate', gate)),
      '/gate': async ({ response }) => {
        await opened.promise
        response.end()
      },
    },
  })
})
afterAll(() => site.stop())

const counted = logIn.slice(-1)

const account = (options: object) => ({
  url: `${site.url}/account`,
  onlyMainContent: false,
  ...options,
})

const visit = async (profile: object, options: object = {}): Promise<Json> =>
  (await scrape(account({ profile, ...options }))).body

const outcome = ({ status, body }: Answer) => ({ status, code: body.code })
const inUse = { status: 409, code: 'PROFILE_IN_USE' }

// Each has a profile of its own.
describe.concurrent('a profile', () => {
  it('keeps who has logged in, and what pages store, from one scrape to the next', async () => {
    const first = await visit({ name: 'kept' }, { actions: logIn })
    expect(first.data.markdown).toContain('Visits: 1 and 1.')
    expect(first.data.warning ?? '').not.toContain('profile')
    const second = await visit({ name: 'kept' }, { actions: counted })
    expect(second.data.markdown).toContain('Visits: 2 and 2.')
    const third = await visit({ name: 'kept' })
    expect(third.data.markdown).toContain('Logged in as Ada.')
  })

  it('is loaded and not written with saveChanges false', async () => {
    await visit({ name: 'read' }, { actions: logIn })
    for (const _ of [1, 2]) {
      const { data } = await visit({ name: 'read', saveChanges: false }, { actions: counted })
      expect(data.markdown).toContain('Visits: 2 and 2.')
    }
    await visit({ name: 'never written', saveChanges: false }, { actions: logIn })
    const { data } = await visit({ name: 'never written', saveChanges: false })
    expect(data.markdown).not.toContain('Logged in')
  })

  it('is a matter of its own name, and its pages are never kept', async () => {
    await visit({ name: 'mine' }, { actions: logIn })
    expect((await visit({ name: 'mine too' })).data.markdown).not.toContain('Logged in')
    const alone = await scrape(account({ maxAge: 0, storeInCache: false }))
    expect(alone.body.data.markdown).not.toContain('Logged in')
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

  it('has one saver at a time, which deletion waits for, and any number of readers', async ({ expect }) => {
    await visit({ name: 'busy' }, { actions: logIn })
    const actions = [{ type: 'wait', selector: '#open' }]
    const first = scrape({ url: `${site.url}/gated`, profile: { name: 'busy' }, actions })
    await expect.poll(() => site.hits('/gate'), { timeout: 30_000 }).toBe(1)
    const second = await scrape(account({ profile: { name: 'busy' } }))
    expect(outcome(second)).toEqual(inUse)
    expect(outcome(await call('DELETE', '/v2/browser/profiles/busy'))).toEqual(inUse)
    const { profiles } = (await call('GET', '/v2/browser/profiles')).body
    expect(profiles).toContainEqual({ name: 'busy', savedAt: expect.any(String), inUse: true })
    const readers = [1, 2].map(() => visit({ name: 'busy', saveChanges: false }, { actions: counted }))
    for (const { data } of await Promise.all(readers)) expect(data.markdown).toContain('Visits: 2 and 2.')
    opened.resolve()
    const { body } = await first
    expect(second.body.heldBy).toBe(body.data.metadata.scrapeId)
    const after = await visit({ name: 'busy' }, { actions: counted })
    expect(after.data.markdown).toContain('Visits: 2 and 2.')
  })

  it.each([
    ['browser', 'deleted'],
    ['interact', '名'.repeat(128)],
  ])('is deleted under %s, also when there is none', async (part, name) => {
    await visit({ name }, { actions: logIn })
    const path = `/v2/${part}/profiles/${encodeURIComponent(name)}`
    for (const _ of [1, 2]) {
      const { status, body } = await call('DELETE', path)
      expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    }
    expect((await visit({ name, saveChanges: false })).data.markdown).not.toContain('Logged in')
  })

  it('lends its cookies to a file, and says that it was not saved', async () => {
    await visit({ name: 'files' }, { actions: logIn })
    const url = `${site.url}/account/orders.csv`
    const { body } = await scrape({ url, profile: { name: 'files' } })
    expect(body.data.markdown).toContain('Ada')
    expect(body.data.warning).toContain('The profile was not saved')
    const reading = await scrape({ url, profile: { name: 'files', saveChanges: false } })
    expect(reading.body.data.warning).toBeUndefined()
  })

  it.each([
    ['fastMode', { fastMode: true }],
    ['lockdown', { lockdown: true }],
    ['minAge', { minAge: 1 }],
    ['zeroDataRetention', { zeroDataRetention: true }],
  ])('is refused with %s', async (option, options) => {
    const { status, body } = await scrape(account({ profile: { name: 'refused' }, ...options }))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(body.error).toContain(option)
  })

  it.each([{ name: '' }, { name: 'a'.repeat(129) }, {}, { name: 'a', save: true }])(
    'is refused as %j',
    async (profile) => {
      expect(outcome(await scrape(account({ profile })))).toEqual({ status: 400, code: 'BAD_REQUEST' })
    },
  )

  it('is loaded by pages of a batch and of a crawl, and saved by none of them', async ({ expect }) => {
    await visit({ name: 'many' }, { actions: logIn })
    const urls = [`${site.url}/account?page=1`, `${site.url}/account?page=2`]
    const url = `${site.url}/account`
    const saving = { profile: { name: 'many' } }
    const refused = { status: 400, code: 'OPTION_NOT_AVAILABLE' }
    expect(outcome(await call('POST', '/v2/batch/scrape', { body: { urls, ...saving } }))).toEqual(refused)
    const crawl = { url, limit: 1, sitemap: 'skip', scrapeOptions: saving }
    expect(outcome(await call('POST', '/v2/crawl', { body: crawl }))).toEqual(refused)

    const loading = {
      profile: { name: 'many', saveChanges: false },
      onlyMainContent: false,
      actions: counted,
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
