import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { ended, runExtract, startJob } from '../extracts.ts'
import { until } from '../servers/until.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const product = (name: string, price: string, more = '') =>
  page(name, `<dl><dt>Price</dt><dd>${price}</dd>${more}</dl><p>A thing to put on a desk.</p>`)
const people = (rows: [string, string][]) =>
  page(
    'Team',
    `<table><tr><th>Name</th><th>Role</th></tr>${rows.map((row) => `<tr><td>${row[0]}</td><td>${row[1]}</td></tr>`).join('')}</table>`,
  )
const routes: Routes = {
  '/lamp': (exchange) => sendHtml(exchange, product('Desk lamp', '40 €')),
  '/lamp/review': (exchange) =>
    sendHtml(exchange, product('Desk lamp', '38 €', '<dt>Weight</dt><dd>2 kg</dd>')),
  '/lamp/shop': (exchange) => sendHtml(exchange, product('Desk lamp', '38 €')),
  '/chair': (exchange) =>
    sendHtml(exchange, product('Chair', '90 €', '<dt>Colour</dt><dd>Red</dd><dt>Weight</dt><dd>9 kg</dd>')),
  '/team/1': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Ada Berg', 'Director'],
        ['Olof Ek', 'Engineer'],
      ]),
    ),
  '/team/2': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Olof Ek', 'Engineer'],
        ['Siv Lund', 'Editor'],
      ]),
    ),
  '/hang': async (exchange) => {
    await sleep(20_000)
    sendHtml(exchange, people([['Nobody', 'Guest']]))
  },
  '/empty': (exchange) => sendHtml(exchange, '<!doctype html><p>Nothing.</p>'),
  '/hook': ({ response }) => response.end(),
  '/shelf': (exchange) =>
    sendHtml(exchange, page('Shelf', '<a href="/shelf/one">One</a> <a href="/shelf/two">Two</a>')),
  '/shelf/one': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Ada Berg', 'Director'],
        ['Olof Ek', 'Engineer'],
      ]),
    ),
  '/shelf/two': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Siv Lund', 'Editor'],
        ['Olof Ek', 'Engineer'],
      ]),
    ),
}
let site: Site
beforeAll(async () => {
  site = await startSite({ routes })
})
afterAll(() => site.stop())

const urlsOf = (...paths: string[]) => paths.map((path) => `${site.url}${path}`)
const text = { type: 'string' }
const productSchema = {
  type: 'object',
  properties: { title: text, price: { type: 'number' }, weight: text, colour: text },
}
const staffSchema = {
  type: 'object',
  properties: {
    members: { type: 'array', items: { type: 'object', properties: { name: text, role: text } } },
  },
}

describe.concurrent('an extract without a language model', () => {
  it('reads several pages with one schema, and merges their lists', async ({ expect }) => {
    const answer = await runExtract({
      urls: urlsOf('/team/1', '/team/2'),
      schema: staffSchema,
      showSources: true,
    })
    expect(answer).toMatchObject({ success: true, status: 'completed', creditsUsed: 10, tokensUsed: 150 })
    expect(answer.data.members).toEqual([
      { name: 'Ada Berg', role: 'Director' },
      { name: 'Olof Ek', role: 'Engineer' },
      { name: 'Siv Lund', role: 'Editor' },
    ])
    expect(answer.sources['members[1].name']).toEqual(urlsOf('/team/1', '/team/2'))
    expect(answer.sources['members[2].role']).toEqual(urlsOf('/team/2'))
    expect(answer.conflicts).toEqual([])
    expect(Date.parse(answer.expiresAt)).toBeGreaterThan(Date.now())
  })

  it('selects the value of most pages, and lists the others', async ({ expect }) => {
    const urls = urlsOf('/lamp', '/lamp/review', '/lamp/shop')
    const answer = await runExtract({ urls, schema: productSchema, showSources: true })
    expect(answer.data).toEqual({ title: 'Desk lamp', price: 38, weight: '2 kg' })
    expect(answer.conflicts).toMatchObject([
      {
        path: 'price',
        chosen: 38,
        values: [
          { value: 38, sources: urlsOf('/lamp/review', '/lamp/shop'), reader: 'label' },
          { value: 40, sources: urlsOf('/lamp'), text: '40 €' },
        ],
      },
    ])
    expect(answer.warning).toContain('disagree on price')
    expect(answer.warning).toContain('left out: colour')
  })

  it('does not mix values of two items, and warns about conflicts', async ({ expect }) => {
    const answer = await runExtract({
      urls: urlsOf('/lamp', '/chair'),
      schema: productSchema,
      showSources: true,
    })
    expect(answer.data).toMatchObject({ title: 'Desk lamp', price: 40 })
    expect(answer.conflicts.map(({ path }: { path: string }) => path)).toEqual(['title', 'price'])
    expect(answer.warning).toContain('name different things; only one about another of them states')
  })

  it('finds the pages of a site, and reads no more than the limit', async ({ expect }) => {
    const request = { urls: urlsOf('/shelf/*'), schema: staffSchema, ignoreSitemap: true, urlTrace: true }
    const all = await runExtract({ ...request, showSources: true })
    const names = (answer: Json) => answer.data.members.map(({ name }: Json) => name)
    expect(names(all).sort()).toEqual(['Ada Berg', 'Olof Ek', 'Siv Lund'])
    expect(all.urlTrace).toContainEqual({
      url: urlsOf('/shelf/one')[0],
      status: 'scraped',
      usedInCompletion: true,
    })
    // Two pages at 5 credits, one page without a value, and 1 credit for the discovery of the site.
    expect(all.creditsUsed).toBe(12)
    const limited = await runExtract({ ...request, limit: 2 })
    expect(limited.urlTrace).toHaveLength(2)
    expect(limited.warning).toContain('3 pages were found, and limit lets 2 of them be read')
  })

  it('reads what a search finds, if the request has no URLs', async ({ expect }) => {
    for (const path of ['guide/tides', 'guide/ferries'])
      await call('POST', '/v2/scrape', { body: { url: `${site.url}/library/${path}` } })
    const isFound = async () => {
      const { body } = await call('POST', '/v2/search', { body: { query: 'harbour tide' } })
      return body.data?.web?.length > 0 ? true : undefined
    }
    // Pages are indexed asynchronously after the scrape.
    await until('the index of the pages', 20_000, isFound)
    const title = { type: 'object', properties: { title: text } }
    const answer = await runExtract({ prompt: 'harbour tide', schema: title, showSources: true })
    expect(answer.status).toBe('completed')
    expect(answer.sources.title[0]).toContain(`${site.url}/library/`)
    const unknown = await runExtract({ prompt: 'xylophone quasar', schema: title })
    expect(unknown).toMatchObject({ status: 'failed', data: [] })
    expect(unknown.error).toContain('No page was found to read')
  })

  it('skips invalid URLs and lists them', async ({ expect }) => {
    const urls = [...urlsOf('/team/1'), 'not an address', 'ftp://a.example/']
    const started = await startJob('/v2/extract', { urls, schema: staffSchema })
    expect(started).toMatchObject({ urlTrace: [], invalidURLs: urls.slice(1) })
    expect((await ended(`/v2/extract/${started.id}`)).data.members).toHaveLength(2)
    const strict = { urls, schema: staffSchema, ignoreInvalidURLs: false }
    const rejected = await call('POST', '/v2/extract', { body: strict })
    expect([rejected.status, rejected.body.code]).toEqual([400, 'BAD_URL'])
    const allInvalid = await call('POST', '/v2/extract', { body: { urls: ['nowhere'], schema: staffSchema } })
    expect(allInvalid.body.code).toBe('NO_VALID_URLS')
  })

  it('names pages that could not be read, and fails if no page could be read', async ({ expect }) => {
    const answer = await runExtract({ urls: urlsOf('/team/1', '/reset'), schema: staffSchema })
    expect(answer).toMatchObject({ status: 'completed', creditsUsed: 5 })
    expect(answer.warning).toContain(`1 page could not be read. ${site.url}/reset: The site closed`)
    const failed = await runExtract({ urls: urlsOf('/reset'), schema: staffSchema })
    expect(failed).toMatchObject({ success: false, status: 'failed', data: [], creditsUsed: 0 })
    expect(failed.error).toContain('closed the connection')
    const empty = await runExtract({ urls: urlsOf('/empty'), schema: staffSchema })
    expect(empty).toMatchObject({ success: true, status: 'completed', data: {} })
    expect(empty.warning).toContain('left out: members')
  })

  it('names options without effect', async ({ expect }) => {
    const answer = await runExtract({
      ...{ urls: urlsOf('/team/1'), schema: staffSchema, prompt: 'The staff', systemPrompt: 'Be brief' },
      ...{ agent: { model: 'FIRE-1' }, allowExternalLinks: true, enableWebSearch: true },
      scrapeOptions: { formats: ['markdown'], onlyMainContent: false },
    })
    expect(answer.data.members).toHaveLength(2)
    for (const part of ['agent has', 'allowExternalLinks has', 'scrapeOptions.formats has', 'systemPrompt'])
      expect(answer.warning).toContain(part)
    expect(answer.warning).toMatch(/enableWebSearch found nothing|search found no page/i)
  })

  it('ends at its timeout', async ({ expect }) => {
    const urls = urlsOf('/team/1', '/hang')
    const answer = await runExtract({ urls, schema: staffSchema, timeout: 2500 })
    expect(answer).toMatchObject({ status: 'completed', data: { members: [{}, {}] } })
    expect(answer.warning).toContain(`${site.url}/hang: The scrape did not finish in time`)
  })

  it('can be cancelled, is listed, and starts once per idempotency key', async ({ expect }) => {
    const body = { urls: urlsOf('/hang'), schema: staffSchema }
    const headers = { 'x-idempotency-key': 'one extract' }
    const { id } = (await call('POST', '/v2/extract', { body, headers })).body
    const again = await call('POST', '/v2/extract', { body, headers })
    expect([again.body.code, again.body.id]).toEqual(['IDEMPOTENCY_KEY_REUSED', id])
    expect((await call('GET', `/v2/extract/${id}`)).body).toMatchObject({ status: 'processing', data: [] })
    const { data } = (await call('GET', '/v2/team/activity?endpoint=extract')).body
    expect(data).toContainEqual(expect.objectContaining({ id, target: urlsOf('/hang')[0] }))
    expect((await call('DELETE', `/v2/extract/${id}`)).body).toMatchObject({ status: 'cancelled' })
    const { body: status } = await call('GET', `/v2/extract/${id}`)
    expect(status).toMatchObject({ status: 'cancelled', creditsUsed: 0 })
  })

  it('sends webhook events for its pages and its end if that is asked for', async ({ expect }) => {
    const events = ['started', 'extract.page', 'completed', 'failed']
    const webhook = (chosenEvents: string[] | undefined) => ({
      ...{ url: `${site.url}/hook`, metadata: { mine: 1 } },
      ...(chosenEvents ? { events: chosenEvents } : {}),
    })
    const request = { urls: urlsOf('/team/1'), schema: staffSchema }
    const receiveEvents = async (body: object, count: number) => {
      const { id } = await startJob('/v2/extract', body)
      const received = () =>
        site.requests
          .filter(({ path, body: sent }) => path === '/hook' && sent !== '')
          .map(({ body: sent }) => JSON.parse(sent))
          .filter((event) => event.id === id)
      await until('all events', 20_000, async () => (received().length >= count ? true : undefined))
      return received()
    }
    const paged = await receiveEvents({ ...request, webhook: webhook(events) }, 3)
    expect(paged.map(({ type }) => type)).toEqual(['extract.started', 'extract.page', 'extract.completed'])
    expect(paged[1].data[0].json.members).toHaveLength(2)
    expect(paged[2]).toMatchObject({
      ...{ success: true, metadata: { mine: 1 } },
      data: [{ success: true, extractId: paged[2].id, totalUrlsScraped: 1, data: { members: [{}, {}] } }],
    })
    const plain = await receiveEvents({ ...request, webhook: webhook(undefined) }, 2)
    expect(plain.map(({ type }) => type)).toEqual(['extract.started', 'extract.completed'])
    const failing = await receiveEvents(
      { ...request, urls: urlsOf('/reset'), webhook: webhook(undefined) },
      2,
    )
    expect(failing[1]).toMatchObject({ type: 'extract.failed', success: false, data: [] })
    expect(failing[1].error).toContain('closed the connection')
  })

  it.each([
    [{ schema: staffSchema }, 'Either urls or prompt'],
    [{ urls: ['https://a.example'] }, 'schema or prompt must be given'],
    [{ urls: Array(11).fill('https://a.example'), schema: staffSchema }, 'MAX_EXTRACT_URLS'],
    [{ urls: ['https://a.example'], schema: staffSchema, limit: 0 }, 'limit'],
    [{ urls: ['https://a.example'], schema: { $schema: 'x' } }, 'names no properties'],
    [{ urls: ['https://a.example'], schema: staffSchema, colour: 1 }, 'colour'],
  ])('rejects %j', async (body, message) => {
    const { status, body: answer } = await call('POST', '/v2/extract', { body })
    expect(status).toBe(400)
    expect(answer.error).toContain(message)
  })
})
