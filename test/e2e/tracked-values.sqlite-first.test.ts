import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, type OwnService, scrape, startOwnService } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { temporaryFolder } from '../service.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** What each page says now, by its name. */
const facts = new Map<string, Record<string, string>>()
const routes: Routes = {
  '/ware/:name': (exchange) => {
    const told = facts.get(exchange.part.name ?? '') ?? {}
    const rows = Object.entries(told).map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`)
    sendHtml(exchange, page(`Ware ${exchange.part.name}`, `<p>Sold here.</p><dl>${rows.join('')}</dl>`))
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
const track = (options: object = {}) => ({ type: 'changeTracking', modes: ['json'], schema, ...options })

async function tracked(name: string, options: object = {}, body: object = {}): Promise<Json> {
  const formats = ['markdown', track(options)]
  const answer = await scrape({ url: `${site.url}/ware/${name}`, formats, ...body })
  expect(answer.body.error).toBeUndefined()
  return answer.body.data
}

describe('changeTracking by values', () => {
  it('tells which fields have which other value, and costs as much as json', async () => {
    facts.set('one', { Price: '10.00 €', Weight: '2 kg' })
    const first = await tracked('one')
    expect(first.changeTracking).toEqual({
      ...{ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' },
    })
    expect([first.warning, first.metadata.creditsUsed]).toEqual([undefined, 5])
    const second = await tracked('one')
    expect(second.changeTracking).toMatchObject({ changeStatus: 'same' })
    expect(second.changeTracking).not.toHaveProperty('json')
    facts.set('one', { Price: '12.50 €', Weight: '2 kg' })
    const third = await tracked('one')
    expect(third.changeTracking).toMatchObject({
      changeStatus: 'changed',
      json: { price: { previous: 10, current: 12.5 } },
    })
    expect(third.changeTracking).not.toHaveProperty('diff')
    expect(third.warning).toBeUndefined()
  })

  it('goes together with the lines that differ, and has nothing where only they do', async () => {
    const modes = ['git-diff', 'json']
    facts.set('both', { Price: '10.00 €', Note: 'first' })
    await tracked('both', { modes })
    facts.set('both', { Price: '10.00 €', Note: 'second' })
    const { changeTracking } = await tracked('both', { modes })
    expect(changeTracking).toMatchObject({ changeStatus: 'changed', json: {} })
    expect(changeTracking.diff).toContain('second')
  })

  it('names fields that could not be read this time', async () => {
    facts.set('lost', { Price: '10.00 €', Weight: '2 kg' })
    await tracked('lost')
    facts.set('lost', { Price: '11.00 €' })
    const { changeTracking, warning } = await tracked('lost')
    expect(changeTracking.json).toEqual({
      price: { previous: 10, current: 11 },
      weight: { previous: '2 kg', current: null },
    })
    expect(warning).toContain('could not be read this time')
    expect(warning).toContain('weight')
  })

  it('compares the fields that two schemas share, and says so', async () => {
    facts.set('schema', { Price: '10.00 €', Weight: '2 kg', Colour: 'red' })
    await tracked('schema')
    facts.set('schema', { Price: '11.00 €', Weight: '2 kg', Colour: 'red' })
    const other = { type: 'object', properties: { price: field.price, colour: field.colour } }
    const { changeTracking, warning } = await tracked('schema', { schema: other })
    expect(changeTracking.json).toEqual({ price: { previous: 10, current: 11 } })
    expect(warning).toContain('another schema')
    for (const name of ['weight', 'colour']) expect(warning).toContain(name)
  })

  it('keeps values per tag, and while versions are tracked without them', async () => {
    facts.set('tag', { Price: '10.00 €' })
    await tracked('tag', { tag: 'hourly' })
    expect((await tracked('tag', { tag: 'daily' })).changeTracking.changeStatus).toBe('new')
    facts.set('tag', { Price: '11.00 €' })
    await tracked('tag', { tag: 'hourly', modes: [], schema: undefined })
    facts.set('tag', { Price: '12.00 €' })
    const { changeTracking, warning } = await tracked('tag', { tag: 'hourly' })
    expect(changeTracking.json.price).toEqual({ previous: 10, current: 12 })
    expect(warning).toContain('tracked without values')
  })

  it('begins with a page that was tracked without values', async () => {
    facts.set('late', { Price: '10.00 €' })
    await tracked('late', { modes: ['git-diff'], schema: undefined })
    facts.set('late', { Price: '11.00 €' })
    const second = await tracked('late')
    expect(second.changeTracking.changeStatus).toBe('changed')
    expect(second.changeTracking).not.toHaveProperty('json')
    expect(second.warning).toContain('from this version on')
  })

  it('keeps no personal data of a redacted page', async () => {
    const properties = { email: { type: 'string' }, price: field.price }
    const options = { schema: { type: 'object', properties } }
    facts.set('redacted', { Price: '10.00 €', Email: 'keeper@lamps.example' })
    await tracked('redacted', options, { redactPII: true })
    facts.set('redacted', { Price: '12.00 €', Email: 'other@lamps.example' })
    const second = await tracked('redacted', options, { redactPII: true })
    expect(second.changeTracking.json).toEqual({ price: { previous: 10, current: 12 } })
    expect(JSON.stringify(second)).not.toContain('lamps.example')
  })

  it('says what is missing for it, charges nothing then, and still tells of changes', async () => {
    facts.set('words', { Price: '10.00 €' })
    for (const [options, told] of [
      [{ schema: undefined, prompt: 'the price' }, 'MODEL_NOT_CONFIGURED'],
      [{ schema: undefined }, 'needs a schema'],
    ] as const) {
      const { changeTracking, warning, metadata } = await tracked('words', options)
      expect(changeTracking.changeStatus).toMatch(/new|same/)
      expect(warning).toContain(told)
      expect(metadata.creditsUsed).toBe(1)
    }
  })

  it.each([
    ['a schema without its mode', { modes: ['git-diff'], schema }, 'modes'],
    ['a prompt without its mode', { modes: [], prompt: 'the price', schema: undefined }, 'modes'],
    ['a schema that is none', { schema: 'price' }, 'JSON schema'],
  ])('refuses %s', async (_, options, told) => {
    const formats = ['markdown', track(options)]
    const { status, body } = await scrape({ url: `${site.url}/ware/none`, formats })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(JSON.stringify(body)).toContain(told)
  })
})

describe('changeTracking by values of many pages', () => {
  const formats = ['markdown', track({ tag: 'many' })]

  it('works in a crawl', async () => {
    const crawled = async () => {
      const { id } = await start({ url: `${site.url}/ware`, scrapeOptions: { formats } })
      const { data } = await finished(id)
      return data.filter(({ metadata }: Json) => metadata.url.includes('/ware/in-crawl'))
    }
    facts.set('in-crawl', { Price: '1.00 €' })
    facts.set('in-crawl-too', { Price: '5.00 €' })
    expect((await crawled()).map(({ changeTracking }: Json) => changeTracking.changeStatus)).toEqual([
      ...['new', 'new'],
    ])
    facts.set('in-crawl', { Price: '2.00 €' })
    const again: Json[] = await crawled()
    const of = (end: string) => again.find(({ metadata }) => metadata.url.endsWith(end))?.changeTracking
    expect(of('in-crawl').json).toEqual({ price: { previous: 1, current: 2 } })
    expect(of('in-crawl-too').changeStatus).toBe('same')
  })

  it('works in a batch', async () => {
    const batch = async () => {
      const body = { urls: [`${site.url}/ware/in-batch`], formats }
      const { id } = (await call('POST', '/v2/batch/scrape', { body })).body
      const read = async () => (await call('GET', `/v2/batch/scrape/${id}`)).body
      await expect.poll(async () => (await read()).status).toBe('completed')
      return (await read()).data[0].changeTracking
    }
    facts.set('in-batch', { Price: '1.00 €' })
    expect((await batch()).changeStatus).toBe('new')
    facts.set('in-batch', { Price: '2.00 €' })
    expect((await batch()).json).toEqual({ price: { previous: 1, current: 2 } })
  })
})

describe('changeTracking by values on a service of its own', () => {
  const folder = temporaryFolder()
  let service: OwnService
  beforeAll(async () => {
    const madeIn = { value: 'Lund', quote: 'made by hand in Lund' }
    const asked = { name: 'madeIn', type: 'string', description: 'Where it is made', itemFields: [] }
    const scripts = [
      { when: 'text of the page', turns: [{ value: { madeIn } }] },
      { turns: [{ value: { fields: [asked] } }] },
    ]
    writeFileSync(join(folder.path, 'script.json'), JSON.stringify(scripts))
    service = await startOwnService({ MODEL_URL: `script:${join(folder.path, 'script.json')}` })
  })
  afterAll(async () => {
    await service.remove()
    folder.remove()
  })
  const properties = { price: field.price, madeIn: { type: 'string', description: 'Where they craft it' } }
  const own = async (name: string, options: object): Promise<Json> => {
    const formats = ['markdown', track(options)]
    const body = { url: `${site.url}/ware/${name}`, formats }
    return (await service.call('POST', '/v2/scrape', { body })).body.data
  }

  it('knows values after a restart, with those that the model has quoted', async () => {
    facts.set('own', { Price: '1.00 €', Story: 'It is made by hand in Lund.' })
    const options = { schema: { type: 'object', properties } }
    expect((await own('own', options)).changeTracking.changeStatus).toBe('new')
    await service.kill()
    service = await service.again()
    facts.set('own', { Price: '2.00 €', Story: 'It is made by hand somewhere.' })
    const { changeTracking, warning } = await own('own', options)
    expect(changeTracking.json).toEqual({
      price: { previous: 1, current: 2 },
      madeIn: { previous: 'Lund', current: null },
    })
    expect(warning).toContain('could not be read this time')
  })

  it('compares what the model makes of a prompt', async () => {
    const options = { schema: undefined, prompt: 'Where is it made?' }
    facts.set('own-words', { Story: 'It is made by hand in Lund.' })
    const first = await own('own-words', options)
    expect(first.metadata.creditsUsed).toBe(5)
    facts.set('own-words', { Story: 'It is made by hand somewhere.' })
    const second = await own('own-words', options)
    expect(second.changeTracking.json).toEqual({ madeIn: { previous: 'Lund', current: null } })
    expect(second.warning).toContain('could not be read this time')
    expect(second.metadata.creditsUsed).toBe(1)
  })
})
