import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../bootstrap/server.ts'
import { defineEndpoint } from './endpoint.ts'
import { openApi, shareIncluded } from './openapi.ts'

type Json = Record<string, unknown>

const api = openApi(endpoints, '0') as {
  paths: Record<string, Json>
  components: { schemas: Record<string, { properties?: Json }>; responses: Json }
}

/** Names of the objects that have a field of this name in the description; `undefined` for one without a name. */
function holders(field: string): (string | undefined)[] {
  const found: (string | undefined)[] = []
  const search = (value: unknown, name: string | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value && field in (value.properties as Json)) found.push(name)
    for (const part of Object.values(value)) search(part, name)
  }
  for (const [name, schema] of Object.entries(api.components.schemas)) search(schema, name)
  search(api.paths, undefined)
  return found
}

/** The description with what it refers to in place of each reference. */
function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
  const parts = { ...(name === undefined ? {} : api.components.schemas[name]), ...rest }
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, writtenOut(part)]))
}

describe('the API description', () => {
  it('states the scrape options once, by name', () => {
    expect(holders('skipTlsVerification')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(holders('fastMode')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(holders('lockdown')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(api.components.schemas.ScrapeRequest?.properties).not.toHaveProperty('formats')
  })

  it('states formats, actions, documents and what they hold once, by name', () => {
    expect(holders('statusCode')).toEqual(['DocumentMetadata', 'ParsedDocumentMetadata', 'ResultMetadata'])
    expect(holders('typography')).toEqual(['Branding'])
    expect(holders('milliseconds')).toEqual(['WaitAction'])
    expect(holders('fullPage')).toEqual(['ScreenshotAction', 'ScreenshotFormat'])
    expect(holders('country')).toEqual(['Location', 'SearchRequest', 'SearchSourceOptions'])
    expect(holders('events')).toEqual(['AgentTrace', 'AgentWebhook', 'Webhook'])
  })

  it('is a third shorter than with every shape written out where it is used', () => {
    const { length } = JSON.stringify(writtenOut(api.paths))
    expect(JSON.stringify(api).length).toBeLessThan((length * 2) / 3)
  })

  it('refers to what it describes, and describes nothing that is not referred to', () => {
    const text = JSON.stringify(api)
    const named = new Set(Object.keys(api.components.schemas))
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect([...named].filter((name) => !used.has(name))).toEqual([])
    expect([...used].filter((name) => !named.has(name ?? ''))).toEqual([])
    const responses = Object.keys(api.components.responses)
    const shared = [...text.matchAll(/"#\/components\/responses\/([\w.]+)"/g)].map(([, name]) => name)
    expect([...new Set(shared)].sort()).toEqual(responses.sort())
  })

  it('has one shape per name', () => {
    const withDefault = z.object({ depth: z.int().default(1) }).meta({ id: 'Twofold' })
    const endpoint = defineEndpoint({
      ...{ method: 'POST', path: '/v2/twofold', summary: 'Ask', tag: 'Test', errors: [] },
      body: withDefault,
      response: z.object({ asked: withDefault }),
      handle: ({ body }) => ({ asked: body }),
    })
    expect(() => openApi([endpoint], '0')).toThrow(/two shapes.*Twofold/)
  })
})

const validator = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false })
validator.addSchema(api, 'api')

/** Whether the description takes a body that is sent to an endpoint, and whether the endpoint does. */
function taken(path: string, body: object): { described: boolean; real: boolean } {
  const pointer = `api#/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`
  const endpoint = endpoints.find((one) => one.method === 'POST' && one.path === path)
  return {
    described: validator.compile({ $ref: pointer })(body) === true,
    real: endpoint?.body?.safeParse(body).success === true,
  }
}

const url = 'https://example.com/'

describe('a request with included options', () => {
  it.each<[string, object]>([
    ['/v2/scrape', { url }],
    ['/v2/scrape', { url, formats: ['markdown', { type: 'screenshot', fullPage: true }], mobile: true }],
    ['/v2/scrape', { url, actions: [{ type: 'wait', milliseconds: 10 }], location: { country: 'de' } }],
    ['/v2/batch/scrape', { urls: [url], fastMode: true, webhook: { url } }],
    ['/v2/crawl', { url, limit: 3, scrapeOptions: { onlyMainContent: false } }],
  ])('is described as it is taken: %s %j', (path, body) => {
    expect(taken(path, body)).toEqual({ described: true, real: true })
  })

  it.each<[string, object]>([
    ['/v2/scrape', {}],
    ['/v2/scrape', { url, nonsense: 1 }],
    ['/v2/scrape', { url, mobile: 'yes' }],
    ['/v2/scrape', { url, location: { town: 'Kiel' } }],
    ['/v2/scrape', { url, actions: [{ type: 'wait', selector: 'a', nonsense: 1 }] }],
    ['/v2/batch/scrape', { urls: [url], url }],
    ['/v2/crawl', { url, mobile: true }],
    ['/v2/crawl', { url, scrapeOptions: { nonsense: 1 } }],
    ['/v2/crawl', { url, scrapeOptions: { url } }],
  ])('is described as it is refused: %s %j', (path, body) => {
    expect(taken(path, body)).toEqual({ described: false, real: false })
  })
})

const place = '#/components/schemas/'
const field = { type: 'string' }
const options = () => ({ type: 'object', properties: { mode: field }, additionalProperties: false })
const request = (mode: object) => ({
  ...{ type: 'object', properties: { url: field, mode }, additionalProperties: false },
  allOf: [{ $ref: `${place}Options` }],
})

describe('what an object includes', () => {
  it('is taken out of it, and both stay closed', () => {
    const own = { type: 'object', properties: { options: { $ref: `${place}Options` } } }
    const api = { components: { schemas: { Options: options(), Request: request(field), Other: own } } }
    shareIncluded(api)
    expect(api.components.schemas).toEqual({
      Options: { type: 'object', properties: { mode: field } },
      Request: {
        ...{ type: 'object', properties: { url: field }, unevaluatedProperties: false },
        allOf: [{ $ref: `${place}Options` }],
      },
      Other: {
        type: 'object',
        properties: { options: { $ref: `${place}Options`, unevaluatedProperties: false } },
      },
    })
  })

  it('must be the same in both', () => {
    const api = { components: { schemas: { Options: options(), Request: request({ type: 'number' }) } } }
    expect(() => shareIncluded(api)).toThrow(/Request includes .*Options, but its mode differs/)
  })

  it('must be described', () => {
    expect(() => shareIncluded({ components: { schemas: { Request: request(field) } } })).toThrow(
      /Request includes .*Options, which is not described/,
    )
  })
})
