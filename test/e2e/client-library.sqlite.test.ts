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

const at = (apiKey = teamKey()) => new Winnow({ baseUrl: inject('deployment').urls[0], apiKey })

describe.concurrent('one call of the client', () => {
  it('scrapes a page, and reads the result again by its id', async ({ expect }) => {
    const winnow = at()
    const document = await winnow.scrape(`${site.url}/article`, { formats: ['markdown', 'links'], maxAge: 0 })
    expect(document.markdown).toContain('#')
    expect(document.links?.length).toBeGreaterThan(0)
    const scrapeId = document.metadata.scrapeId ?? ''
    expect(await winnow.scrapeResult(scrapeId)).toEqual(document)
  })

  it('parses bytes with a name, a File, and a Blob without a name', async ({ expect }) => {
    const winnow = at()
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
    // A caller without types.
    const nameless = { data: bytes } as unknown as Blob
    await expect(winnow.parse(nameless)).rejects.toThrow('{ data, name }')
  })

  it('searches, and lists the pages of a site', async ({ expect }) => {
    const winnow = at()
    const mapped = await winnow.map(`${site.url}/tree`, { sitemap: 'skip', limit: 5 })
    expect(mapped.links.map(({ url }) => url)).toContain(`${site.url}/tree`)
    const { metadata } = await winnow.scrape(`${site.url}/article?searched`, { maxAge: 0 })
    const title = String(metadata.title)
    const found = await until('the page in the index', 20_000, async () => {
      const result = await winnow.search(title, { limit: 3 }).catch(() => undefined)
      return result?.web?.some(({ url }) => url.startsWith(`${site.url}/article`)) ? result : undefined
    })
    expect(found.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(found.creditsUsed).toBeGreaterThanOrEqual(0)
  })

  it('asks the support agent about a job', async ({ expect }) => {
    const winnow = at()
    const { metadata } = await winnow.scrape(`${site.url}/article?asked`, { excludeTags: ['p'], maxAge: 0 })
    const jobId = metadata.scrapeId ?? ''
    const answer = await winnow.ask('Most of the page is missing. Why?', { jobId })
    expect(answer).toMatchObject({ jobId, answer: expect.any(String) })
  })

  it('tells of the installation and the team', async ({ expect }) => {
    const winnow = at()
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

  it('hears of the jobs of the team as they come', async ({ expect }) => {
    const winnow = at()
    const leaving = new AbortController()
    const url = `${site.url}/article?heard`
    const heard = (async () => {
      for await (const { type, data } of winnow.events({ signal: leaving.signal })) {
        // Jobs of the other tests of this team are heard as well.
        if (type === 'job' && (data as Json).target === url) return data
      }
      return undefined
    })()
    // Whether the stream is open by then is not known, so it is scraped until it is heard.
    const event = await until('an event', 20_000, async () => {
      await winnow.scrape(url, { maxAge: 0 })
      return Promise.race([heard, sleep(200, undefined)])
    })
    expect(event).toMatchObject({ kind: 'scrape', state: expect.any(String) })
    leaving.abort()
  })
})

describe.concurrent('browsers by the client', () => {
  it('opens a session, runs code in it and closes it', async ({ expect }) => {
    const winnow = at()
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
    const end = await session.close()
    expect(end).toMatchObject({ status: 'destroyed', creditsBilled: expect.any(Number) })
    expect(await again.close()).toEqual(end)
  })

  it('interacts with a page that was scraped', async ({ expect }) => {
    const winnow = at()
    const { metadata } = await winnow.scrape(`${site.url}/article?touched`, { maxAge: 0 })
    const scrapeId = metadata.scrapeId ?? ''
    const run = await winnow.interact(scrapeId, { code: 'await page.title()', language: 'node' })
    expect(run).toMatchObject({ success: true, result: expect.stringMatching(/\w/) })
    expect(await winnow.stopInteract(scrapeId)).toMatchObject({ status: 'destroyed' })
  })
})

describe('the client of an operator', () => {
  it('makes a team with a key and a secret, whose webhooks it checks, and revokes the key', async () => {
    const { operator } = at(inject('deployment').key)
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
    const job = await at(key).startBatch([`${site.url}/pages/1`], { webhook })
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
        at(key)
          .team()
          .then(
            () => 'valid',
            (thrown) => thrown.code,
          ),
      )
      .toBe('UNAUTHORIZED')
  })
})
