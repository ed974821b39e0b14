import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z as zod4 } from 'zod'
import { z } from 'zod/v3'
import { type Json, teamKey } from '../api.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
})
afterAll(() => site.stop())

const client = () => new Firecrawl({ apiUrl: inject('deployment').urls[0] ?? '', apiKey: teamKey() })
const lampSchema = () =>
  z.object({
    title: z.string(),
    price: z.number().describe('The price of the lamp'),
    weightKg: z.number().optional(),
    designer: z.string().nullable().optional(),
  })
// The types of the client recurse into schemas without a depth limit, so the result has the type any.
const json = (): Json => ({ type: 'json', schema: lampSchema() })
const question = { type: 'question' as const, question: 'When was the Desk lamp shown in Lund?' }
const highlights = { type: 'highlights' as const, query: 'What is the shade made of?' }

describe('the published JavaScript client reads', () => {
  it('values by a Zod schema', async () => {
    const document = await client().scrape(`${site.url}/lamps/desk`, { formats: [json()] })
    const value = lampSchema().parse(document.json)
    expect(value).toEqual({ title: 'Desk lamp', price: 1299, weightKg: 2.5 })
    expect(document.warning).toContain('designer')
  })

  it('values by a Zod 4 schema only as a JSON schema, because it cannot convert Zod 4', async () => {
    const schema = zod4.object({ title: zod4.string() })
    const scrapeWith = (schemaOption: Json) =>
      client().scrape(`${site.url}/lamps/desk`, { formats: [{ type: 'json', schema: schemaOption }] })
    await expect(scrapeWith(schema)).rejects.toThrow(/toJSONSchema/)
    expect((await scrapeWith(zod4.toJSONSchema(schema))).json).toEqual({ title: 'Desk lamp' })
  })

  it('a summary, an answer and highlights', async () => {
    const document: Json = await client().scrape(`${site.url}/lamps/desk`, {
      formats: ['summary', question, highlights],
    })
    expect(document.summary).toContain('oiled paper')
    expect(document.answer).toContain('> The Desk lamp was shown in Lund in 1972')
    expect(document.highlights).toContain('Its shade is made of oiled paper')
  })

  it.each([
    ['freeform', 'answer'],
    ['directQuote', 'highlights'],
  ] as const)('a query in the mode %s', async (mode, field) => {
    const format = { type: 'query' as const, prompt: 'Who ordered forty lamps?', mode }
    const document: Json = await client().scrape(`${site.url}/lamps/desk`, { formats: [format] })
    expect(document[field]).toContain('The keeper of the quellmark lighthouse ordered forty')
  })

  it('a page without its remaining boilerplate', async () => {
    const options: Json = { formats: ['markdown'], onlyCleanContent: true }
    const document = await client().scrape(`${site.url}/lamps/desk`, options)
    expect(document.markdown).toContain('oiled paper')
  })

  it('every page of a crawl and of a batch', async () => {
    const formats: Json[] = [json(), 'summary', question, highlights]
    const crawl = await client().crawl(`${site.url}/lamps`, {
      ...{ limit: 3, sitemap: 'skip' as const, includePaths: ['/lamps/.*'] },
      ...{ scrapeOptions: { formats }, pollInterval: 1, timeout: 60 },
    })
    const batch = await client().batchScrape([`${site.url}/lamps/desk`, `${site.url}/lamps/floor`], {
      ...{ options: { formats: [json(), 'summary', question, highlights] }, pollInterval: 1, timeout: 60 },
    })
    for (const { data } of [crawl, batch]) {
      const documents = new Map(
        data.map(({ json: value, ...rest }) => [lampSchema().parse(value).price, rest]),
      )
      expect([...documents.keys()].sort()).toEqual([1299, 89.5])
      for (const { summary, ...rest } of documents.values()) {
        expect(summary).toContain('oiled paper')
        expect((rest as Json).highlights).toContain('Its shade is made of oiled paper')
      }
      expect((documents.get(1299) as Json).answer).toContain('shown in Lund in 1972')
    }
  })

  it('the results of a search', async () => {
    await client().scrape(`${site.url}/lamps/desk`, { formats: ['markdown'] })
    const find = async (): Promise<Json> =>
      (
        await client().search('quellmark lighthouse', {
          ...{ limit: 3, scrapeOptions: { formats: [json(), 'summary', highlights] } },
        })
      ).web?.[0]
    // Pages are indexed asynchronously after the scrape.
    await expect.poll(find).toBeDefined()
    const result = await find()
    expect(lampSchema().parse(result.json).weightKg).toBe(2.5)
    expect(result.summary).toContain('oiled paper')
    expect(result.highlights).toContain('Its shade is made of oiled paper')
  })
})
