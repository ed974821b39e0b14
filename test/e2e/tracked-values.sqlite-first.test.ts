import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, type OwnService, scrape, startOwnService } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { temporaryFolder } from '../service.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Current values of each page, by name. */
const pageValues = new Map<string, Record<string, string>>()
const routes: Routes = {
  '/ware/:name': (exchange) => {
    const values = pageValues.get(exchange.params.name ?? '') ?? {}
    const rows = Object.entries(values).map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`)
    sendHtml(exchange, page(`Ware ${exchange.params.name}`, `<p>Sold here.</p><dl>${rows.join('')}</dl>`))
  },
  '/ware': (exchange) =>
    sendHtml(
      exchange,
      page('Shelf', '<a href="/ware/in-crawl">One</a> <a href="/ware/in-crawl-too">Two</a>'),
    ),
}

let site: Site
beforeAll(async () => {
  site = await startSite({ routes })
})
afterAll(() => site.stop())

const field = { price: { type: 'number' }, weight: { type: 'string' }, colour: { type: 'string' } }
const schema = { type: 'object', properties: { price: field.price, weight: field.weight } }
const trackingFormat = (options: object = {}) => ({
  type: 'changeTracking',
  modes: ['json'],
  schema,
  ...options,
})

async function scrapeTracked(name: string, options: object = {}, body: object = {}): Promise<Json> {
  const formats = ['markdown', trackingFormat(options)]
  const answer = await scrape({ url: `${site.url}/ware/${name}`, formats, ...body })
  expect(answer.body.error).toBeUndefined()
  return answer.body.data
}

describe('changeTracking by values', () => {
  it('returns changed fields with both values, and costs as much as json', async () => {
    pageValues.set('one', { Price: '10.00 €', Weight: '2 kg' })
    const first = await scrapeTracked('one')
    expect(first.changeTracking).toEqual({
      ...{ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' },
    })
    expect([first.warning, first.metadata.creditsUsed]).toEqual([undefined, 5])
    const second = await scrapeTracked('one')
    expect(second.changeTracking).toMatchObject({ changeStatus: 'same' })
    expect(second.changeTracking).not.toHaveProperty('json')
    pageValues.set('one', { Price: '12.50 €', Weight: '2 kg' })
    const third = await scrapeTracked('one')
    expect(third.changeTracking).toMatchObject({
      changeStatus: 'changed',
      json: { price: { previous: 10, current: 12.5 } },
    })
    expect(third.changeTracking).not.toHaveProperty('diff')
    expect(third.warning).toBeUndefined()
  })

  it('can be combined with git-diff, and is empty if only other lines differ', async () => {
    const modes = ['git-diff', 'json']
    pageValues.set('both', { Price: '10.00 €', Note: 'first' })
    await scrapeTracked('both', { modes })
    pageValues.set('both', { Price: '10.00 €', Note: 'second' })
    const { changeTracking } = await scrapeTracked('both', { modes })
    expect(changeTracking).toMatchObject({ changeStatus: 'changed', json: {} })
    expect(changeTracking.diff).toContain('second')
  })

  it('names fields that could not be read this time', async () => {
    pageValues.set('lost', { Price: '10.00 €', Weight: '2 kg' })
    await scrapeTracked('lost')
    pageValues.set('lost', { Price: '11.00 €' })
    const { changeTracking, warning } = await scrapeTracked('lost')
    expect(changeTracking.json).toEqual({
      price: { previous: 10, current: 11 },
      weight: { previous: '2 kg', current: null },
    })
    expect(warning).toContain('could not be read this time')
    expect(warning).toContain('weight')
  })

  it('compares the fields that two schemas share, and warns', async () => {
    pageValues.set('schema', { Price: '10.00 €', Weight: '2 kg', Colour: 'red' })
    await scrapeTracked('schema')
    pageValues.set('schema', { Price: '11.00 €', Weight: '2 kg', Colour: 'red' })
    const other = { type: 'object', properties: { price: field.price, colour: field.colour } }
    const { changeTracking, warning } = await scrapeTracked('schema', { schema: other })
    expect(changeTracking.json).toEqual({ price: { previous: 10, current: 11 } })
    expect(warning).toContain('another schema')
    for (const name of ['weight', 'colour']) expect(warning).toContain(name)
  })

  it('keeps values per tag, and while versions are tracked without them', async () => {
    pageValues.set('tag', { Price: '10.00 €' })
    await scrapeTracked('tag', { tag: 'hourly' })
    expect((await scrapeTracked('tag', { tag: 'daily' })).changeTracking.changeStatus).toBe('new')
    pageValues.set('tag', { Price: '11.00 €' })
    await scrapeTracked('tag', { tag: 'hourly', modes: [], schema: undefined })
    pageValues.set('tag', { Price: '12.00 €' })
    const { changeTracking, warning } = await scrapeTracked('tag', { tag: 'hourly' })
    expect(changeTracking.json.price).toEqual({ previous: 10, current: 12 })
    expect(warning).toContain('tracked without values')
  })

  it('starts after a version that was tracked without values', async () => {
    pageValues.set('late', { Price: '10.00 €' })
    await scrapeTracked('late', { modes: ['git-diff'], schema: undefined })
    pageValues.set('late', { Price: '11.00 €' })
    const second = await scrapeTracked('late')
    expect(second.changeTracking.changeStatus).toBe('changed')
    expect(second.changeTracking).not.toHaveProperty('json')
    expect(second.warning).toContain('from this version on')
  })

  it('stores no personal data of a redacted page', async () => {
    const properties = { email: { type: 'string' }, price: field.price }
    const options = { schema: { type: 'object', properties } }
    pageValues.set('redacted', { Price: '10.00 €', Email: 'keeper@lamps.example' })
    await scrapeTracked('redacted', options, { redactPII: true })
    pageValues.set('redacted', { Price: '12.00 €', Email: 'other@lamps.example' })
    const second = await scrapeTracked('redacted', options, { redactPII: true })
    expect(second.changeTracking.json).toEqual({ price: { previous: 10, current: 12 } })
    expect(JSON.stringify(second)).not.toContain('lamps.example')
  })

  it('warns about a missing requirement, charges nothing extra, and still reports changes', async () => {
    pageValues.set('words', { Price: '10.00 €' })
    for (const [options, message] of [
      [{ schema: undefined, prompt: 'the price' }, 'MODEL_NOT_CONFIGURED'],
      [{ schema: undefined }, 'needs a schema'],
    ] as const) {
      const { changeTracking, warning, metadata } = await scrapeTracked('words', options)
      expect(changeTracking.changeStatus).toMatch(/new|same/)
      expect(warning).toContain(message)
      expect(metadata.creditsUsed).toBe(1)
    }
  })

  it.each([
    ['a schema without its mode', { modes: ['git-diff'], schema }, 'modes'],
    ['a prompt without its mode', { modes: [], prompt: 'the price', schema: undefined }, 'modes'],
    ['a schema that is none', { schema: 'price' }, 'JSON schema'],
  ])('rejects %s', async (_, options, message) => {
    const formats = ['markdown', trackingFormat(options)]
    const { status, body } = await scrape({ url: `${site.url}/ware/none`, formats })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(JSON.stringify(body)).toContain(message)
  })
})

describe('changeTracking by values of many pages', () => {
  const formats = ['markdown', trackingFormat({ tag: 'many' })]

  it('works in a crawl', async () => {
    const crawlPages = async () => {
      const { id } = await start({ url: `${site.url}/ware`, scrapeOptions: { formats } })
      const { data } = await finished(id)
      return data.filter(({ metadata }: Json) => metadata.url.includes('/ware/in-crawl'))
    }
    pageValues.set('in-crawl', { Price: '1.00 €' })
    pageValues.set('in-crawl-too', { Price: '5.00 €' })
    expect((await crawlPages()).map(({ changeTracking }: Json) => changeTracking.changeStatus)).toEqual([
      ...['new', 'new'],
    ])
    pageValues.set('in-crawl', { Price: '2.00 €' })
    const again: Json[] = await crawlPages()
    const trackingOf = (suffix: string) =>
      again.find(({ metadata }) => metadata.url.endsWith(suffix))?.changeTracking
    expect(trackingOf('in-crawl').json).toEqual({ price: { previous: 1, current: 2 } })
    expect(trackingOf('in-crawl-too').changeStatus).toBe('same')
  })

  it('works in a batch', async () => {
    const scrapeBatch = async () => {
      const body = { urls: [`${site.url}/ware/in-batch`], formats }
      const { id } = (await call('POST', '/v2/batch/scrape', { body })).body
      const read = async () => (await call('GET', `/v2/batch/scrape/${id}`)).body
      await expect.poll(async () => (await read()).status).toBe('completed')
      return (await read()).data[0].changeTracking
    }
    pageValues.set('in-batch', { Price: '1.00 €' })
    expect((await scrapeBatch()).changeStatus).toBe('new')
    pageValues.set('in-batch', { Price: '2.00 €' })
    expect((await scrapeBatch()).json).toEqual({ price: { previous: 1, current: 2 } })
  })
})

describe('changeTracking by values on a separate service', () => {
  const folder = temporaryFolder()
  let service: OwnService
  beforeAll(async () => {
    const madeIn = { value: 'Lund', quote: 'made by hand in Lund' }
    const madeInField = { name: 'madeIn', type: 'string', description: 'Where it is made', itemFields: [] }
    const scripts = [
      { when: 'text of the page', turns: [{ value: { madeIn } }] },
      { turns: [{ value: { fields: [madeInField] } }] },
    ]
    writeFileSync(join(folder.path, 'script.json'), JSON.stringify(scripts))
    service = await startOwnService({ MODEL_URL: `script:${join(folder.path, 'script.json')}` })
  })
  afterAll(async () => {
    await service.remove()
    folder.remove()
  })
  const properties = { price: field.price, madeIn: { type: 'string', description: 'Where they craft it' } }
  const scrapeOwn = async (name: string, options: object): Promise<Json> => {
    const formats = ['markdown', trackingFormat(options)]
    const body = { url: `${site.url}/ware/${name}`, formats }
    return (await service.call('POST', '/v2/scrape', { body })).body.data
  }

  it('compares values after a restart, including values that a model has quoted', async () => {
    pageValues.set('own', { Price: '1.00 €', Story: 'It is made by hand in Lund.' })
    const options = { schema: { type: 'object', properties } }
    expect((await scrapeOwn('own', options)).changeTracking.changeStatus).toBe('new')
    await service.kill()
    service = await service.again()
    pageValues.set('own', { Price: '2.00 €', Story: 'It is made by hand somewhere.' })
    const { changeTracking, warning } = await scrapeOwn('own', options)
    expect(changeTracking.json).toEqual({
      price: { previous: 1, current: 2 },
      madeIn: { previous: 'Lund', current: null },
    })
    expect(warning).toContain('could not be read this time')
  })

  it('compares values that a model reads for a prompt', async () => {
    const options = { schema: undefined, prompt: 'Where is it made?' }
    pageValues.set('own-words', { Story: 'It is made by hand in Lund.' })
    const first = await scrapeOwn('own-words', options)
    expect(first.metadata.creditsUsed).toBe(5)
    pageValues.set('own-words', { Story: 'It is made by hand somewhere.' })
    const second = await scrapeOwn('own-words', options)
    expect(second.changeTracking.json).toEqual({ madeIn: { previous: 'Lund', current: null } })
    expect(second.warning).toContain('could not be read this time')
    expect(second.metadata.creditsUsed).toBe(1)
  })
})
