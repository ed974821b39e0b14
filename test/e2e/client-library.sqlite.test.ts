import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { verifyWebhook, Winnow } from '../../client/src/index.ts'
import { type Json, teamKey } from '../api.ts'
import { lamps } from '../documents/post.ts'
import { until } from '../servers/until.ts'

import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/hook': ({ response }) => response.end() } })
})
afterAll(() => site.stop())

const createClient = (apiKey = teamKey()) => new Winnow({ baseUrl: inject('deployment').urls[0], apiKey })

describe.concurrent('a call of the client', () => {
  it('scrapes a page, and reads the result again by its id', async ({ expect }) => {
    const winnow = createClient()
    const document = await winnow.scrape(`${site.url}/article`, { formats: ['markdown', 'links'], maxAge: 0 })
    expect(document.markdown).toContain('#')
    expect(document.links?.length).toBeGreaterThan(0)
    const scrapeId = document.metadata.scrapeId ?? ''
    expect(await winnow.scrapeResult(scrapeId)).toEqual(document)
  })

  it('parses bytes with a name, a File, and a Blob without a name', async ({ expect }) => {
    const winnow = createClient()
    const bytes = new Uint8Array(lamps)
    for (const file of [
      { data: bytes, name: 'lamps.pdf' },
      new File([bytes], 'lamps.pdf'),
      new Blob([bytes]),
    ]) {
      const { markdown } = await winnow.parse(file, { formats: ['markdown'] })
      expect(markdown).toContain('# Report on lamps')
    }
    const text = await winnow.parse({ data: '<h1>Short</h1><p>Text.</p>', name: 'page.html' })
    expect(text.markdown).toContain('Short')
    // Simulates a caller without type checks.
    const nameless = { data: bytes } as unknown as Blob
    await expect(winnow.parse(nameless)).rejects.toThrow('{ data, name }')
  })

  it('searches, and lists the pages of a site', async ({ expect }) => {
    const winnow = createClient()
    const mapped = await winnow.map(`${site.url}/tree`, { sitemap: 'skip', limit: 5 })
    expect(mapped.links.map(({ url }) => url)).toContain(`${site.url}/tree`)
    const { metadata } = await winnow.scrape(`${site.url}/article?searched`, { maxAge: 0 })
    const title = String(metadata.title)
    const searchResult = await until('the page in the index', 20_000, async () => {
      const result = await winnow.search(title, { limit: 3 }).catch(() => undefined)
      return result?.web?.some(({ url }) => url.startsWith(`${site.url}/article`)) ? result : undefined
    })
    expect(searchResult.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(searchResult.creditsUsed).toBeGreaterThanOrEqual(0)
  })

  it('asks the support agent about a job', async ({ expect }) => {
    const winnow = createClient()
    const { metadata } = await winnow.scrape(`${site.url}/article?asked`, { excludeTags: ['p'], maxAge: 0 })
    const jobId = metadata.scrapeId ?? ''
    const answer = await winnow.ask('Most of the page is missing. Why?', { jobId })
    expect(answer).toMatchObject({ jobId, answer: expect.any(String) })
  })

  it('returns data of the installation and the team', async ({ expect }) => {
    const winnow = createClient()
    await winnow.scrape(`${site.url}/article?told`, { maxAge: 0 })
    const { features, version } = await winnow.capabilities()
    expect(version).toMatch(/^\d/)
    expect(features.length).toBeGreaterThan(3)
    const activity = await winnow.activity({ endpoint: 'scrape', limit: 1 })
    expect(activity.data).toHaveLength(1)
    const more = await winnow.activity({
      endpoint: 'scrape',
      ...(activity.cursor ? { cursor: activity.cursor } : {}),
    })
    expect(more.data.map(({ id }) => id)).not.toContain(activity.data[0]?.id)
    expect((await winnow.usage({ days: 2 })).at(-1)?.calls).toBeGreaterThan(0)
    expect(await winnow.credits()).toMatchObject({ unlimited: expect.any(Boolean) })
    expect((await winnow.team()).team.name).toContain('client-library')
    const queue = await winnow.request({ method: 'GET', path: '/v2/team/queue-status' })
    expect(queue).toMatchObject({ success: true })
  })

  it('receives the job events of the team', async ({ expect }) => {
    const winnow = createClient()
    const controller = new AbortController()
    const url = `${site.url}/article?heard`
    const received = (async () => {
      for await (const { type, data } of winnow.events({ signal: controller.signal })) {
        // The stream also contains jobs of the other tests of this team.
        if (type === 'job' && (data as Json).target === url) return data
      }
      return undefined
    })()
    // The stream may not be open yet, so the page is scraped until an event arrives.
    const event = await until('an event', 20_000, async () => {
      await winnow.scrape(url, { maxAge: 0 })
      return Promise.race([received, sleep(200, undefined)])
    })
    expect(event).toMatchObject({ kind: 'scrape', state: expect.any(String) })
    controller.abort()
  })
})

describe.concurrent('a browser of the client', () => {
  it('opens a session, runs code in it and closes it', async ({ expect }) => {
    const winnow = createClient()
    const session = await winnow.openBrowser({ ttl: 120 })
    expect(session.cdpUrl).toMatch(/^ws/)
    expect(session.liveViewUrl).toMatch(/^http/)
    const { result, error } = await session.execute(
      `await page.goto('${site.url}/article'); await page.title()`,
      {
        language: 'node',
        timeout: 40,
      },
    )
    expect({ result, error }).toMatchObject({ result: expect.stringMatching(/\w/), error: undefined })
    const failed = await session.execute('throw new Error("broken on purpose")', { language: 'node' })
    expect(`${failed.error}${failed.stderr}`).toContain('broken on purpose')
    expect((await winnow.listBrowsers({ status: 'active' })).map(({ id }) => id)).toContain(session.id)
    const again = await winnow.browserSession(session.id)
    expect(await again.status()).toMatchObject({ id: session.id, status: 'active' })
    const closed = await session.close()
    expect(closed).toMatchObject({ status: 'destroyed', creditsBilled: expect.any(Number) })
    expect(await again.close()).toEqual(closed)
  })

  it('interacts with a scraped page', async ({ expect }) => {
    const winnow = createClient()
    const { metadata } = await winnow.scrape(`${site.url}/article?touched`, { maxAge: 0 })
    const scrapeId = metadata.scrapeId ?? ''
    const run = await winnow.interact(scrapeId, { code: 'await page.title()', language: 'node' })
    expect(run).toMatchObject({ success: true, result: expect.stringMatching(/\w/) })
    expect(await winnow.stopInteract(scrapeId)).toMatchObject({ status: 'destroyed' })
  })
})

describe('the client of an operator', () => {
  it('creates a team with a key and a secret, verifies its webhooks, and revokes the key', async () => {
    const { operator } = createClient(inject('deployment').key)
    expect((await operator.overview()).health.isReady).toBe(true)
    const team = await operator.createTeam(`client library ${Date.now()}`, { credits: 5 })
    const { key, facts } = await operator.createKey(team.id)
    const { team: changed, webhookSecret = '' } = await operator.changeTeam(team.id, {
      credits: 10,
      webhookSecret: 'new',
    })
    expect(changed).toMatchObject({ id: team.id, balance: 15, signsWebhooks: true })
    expect((await operator.keys({ teamId: team.id })).data).toMatchObject([{ id: facts.id, revokedAt: null }])
    expect((await operator.teams({ limit: 1 })).data).toHaveLength(1)

    const webhook = { url: `${site.url}/hook`, metadata: { shelf: 'b' }, events: ['completed' as const] }
    const job = await createClient(key).startBatch([`${site.url}/pages/1`], { webhook })
    await job.wait()
    const delivery = await until('the delivery', 20_000, async () =>
      site.requests.find(({ path, body }) => path === '/hook' && body.includes(job.id)),
    )
    for (const name of ['x-winnow-signature', 'x-service-signature', 'x-firecrawl-signature']) {
      const signature = delivery.headers[name]
      const event = await verifyWebhook(delivery.body, signature, ['an older secret', webhookSecret])
      expect(event).toMatchObject({ type: 'batch_scrape.completed', id: job.id, metadata: { shelf: 'b' } })
      await expect(verifyWebhook(`${delivery.body} `, signature, webhookSecret)).rejects.toMatchObject({
        reason: 'wrong',
      })
    }

    await operator.revokeKey(facts.id)
    await expect
      .poll(() =>
        createClient(key)
          .team()
          .then(
            () => 'valid',
            (thrown) => thrown.code,
          ),
      )
      .toBe('UNAUTHORIZED')
  })
})
