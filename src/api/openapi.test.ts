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

/** Names of the schemas that have a property of this name; `undefined` for unnamed schemas. */
function schemasWithProperty(field: string): (string | undefined)[] {
  const names: (string | undefined)[] = []
  const visit = (value: unknown, name: string | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value && field in (value.properties as Json)) names.push(name)
    for (const part of Object.values(value)) visit(part, name)
  }
  for (const [name, schema] of Object.entries(api.components.schemas)) visit(schema, name)
  visit(api.paths, undefined)
  return names
}

/** Returns the description with each reference replaced by its schema. */
function inlineReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlineReferences)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
  const parts = { ...(name === undefined ? {} : api.components.schemas[name]), ...rest }
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, inlineReferences(part)]))
}

describe('openApi()', () => {
  it('defines the scrape options once, in named schemas', () => {
    expect(schemasWithProperty('skipTlsVerification')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(schemasWithProperty('fastMode')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(schemasWithProperty('lockdown')).toEqual(['ParseOptions', 'ScrapeOptions'])
    expect(api.components.schemas.ScrapeRequest?.properties).not.toHaveProperty('formats')
  })

  it('defines formats, actions and documents once, in named schemas', () => {
    expect(schemasWithProperty('statusCode')).toEqual([
      'DocumentMetadata',
      'ParsedDocumentMetadata',
      'ResultMetadata',
    ])
    expect(schemasWithProperty('typography')).toEqual(['Branding'])
    expect(schemasWithProperty('milliseconds')).toEqual(['WaitAction'])
    expect(schemasWithProperty('fullPage')).toEqual(['ScreenshotAction', 'ScreenshotFormat'])
    expect(schemasWithProperty('country')).toEqual(['Location', 'SearchRequest', 'SearchSourceOptions'])
    expect(schemasWithProperty('events')).toEqual(['AgentTrace', 'AgentWebhook', 'Webhook'])
  })

  it('is at least a third shorter than with all references inlined', () => {
    const { length } = JSON.stringify(inlineReferences(api.paths))
    expect(JSON.stringify(api).length).toBeLessThan((length * 2) / 3)
  })

  it('contains all referenced schemas and responses, and no unused ones', () => {
    const text = JSON.stringify(api)
    const named = new Set(Object.keys(api.components.schemas))
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect([...named].filter((name) => !used.has(name))).toEqual([])
    expect([...used].filter((name) => !named.has(name ?? ''))).toEqual([])
    const responses = Object.keys(api.components.responses)
    const shared = [...text.matchAll(/"#\/components\/responses\/([\w.]+)"/g)].map(([, name]) => name)
    expect([...new Set(shared)].sort()).toEqual(responses.sort())
  })

  it('throws if one name has two schemas', () => {
    const schemaWithDefault = z.object({ depth: z.int().default(1) }).meta({ id: 'Twofold' })
    const endpoint = defineEndpoint({
      ...{ method: 'POST', path: '/v2/twofold', summary: 'Ask', tag: 'Test', errors: [] },
      body: schemaWithDefault,
      response: z.object({ asked: schemaWithDefault }),
      handle: ({ body }) => ({ asked: body }),
    })
    expect(() => openApi([endpoint], '0')).toThrow(/two shapes.*Twofold/)
  })
})

const validator = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false })
validator.addSchema(api, 'api')

/** Whether the OpenAPI schema and the endpoint each accept a body. */
function checkBody(path: string, body: object): { described: boolean; real: boolean } {
  const pointer = `api#/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`
  const endpoint = endpoints.find((endpoint) => endpoint.method === 'POST' && endpoint.path === path)
  return {
    described: validator.compile({ $ref: pointer })(body) === true,
    real: endpoint?.body?.safeParse(body).success === true,
  }
}

const url = 'https://example.com/'

describe('a request body with included options', () => {
  it.each<[string, object]>([
    ['/v2/scrape', { url }],
    ['/v2/scrape', { url, formats: ['markdown', { type: 'screenshot', fullPage: true }], mobile: true }],
    ['/v2/scrape', { url, actions: [{ type: 'wait', milliseconds: 10 }], location: { country: 'de' } }],
    ['/v2/batch/scrape', { urls: [url], fastMode: true, webhook: { url } }],
    ['/v2/crawl', { url, limit: 3, scrapeOptions: { onlyMainContent: false } }],
  ])('is valid for the schema and the endpoint: %s %j', (path, body) => {
    expect(checkBody(path, body)).toEqual({ described: true, real: true })
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
  ])('is invalid for the schema and the endpoint: %s %j', (path, body) => {
    expect(checkBody(path, body)).toEqual({ described: false, real: false })
  })
})

const schemaPrefix = '#/components/schemas/'
const field = { type: 'string' }
const options = () => ({ type: 'object', properties: { mode: field }, additionalProperties: false })
const request = (mode: object) => ({
  ...{ type: 'object', properties: { url: field, mode }, additionalProperties: false },
  allOf: [{ $ref: `${schemaPrefix}Options` }],
})

describe('shareIncluded()', () => {
  it('removes included properties and keeps both schemas closed', () => {
    const other = { type: 'object', properties: { options: { $ref: `${schemaPrefix}Options` } } }
    const api = { components: { schemas: { Options: options(), Request: request(field), Other: other } } }
    shareIncluded(api)
    expect(api.components.schemas).toEqual({
      Options: { type: 'object', properties: { mode: field } },
      Request: {
        ...{ type: 'object', properties: { url: field }, unevaluatedProperties: false },
        allOf: [{ $ref: `${schemaPrefix}Options` }],
      },
      Other: {
        type: 'object',
        properties: { options: { $ref: `${schemaPrefix}Options`, unevaluatedProperties: false } },
      },
    })
  })

  it('throws if an included property differs', () => {
    const api = { components: { schemas: { Options: options(), Request: request({ type: 'number' }) } } }
    expect(() => shareIncluded(api)).toThrow(/Request includes .*Options, but its mode differs/)
  })

  it('throws if the included schema does not exist', () => {
    expect(() => shareIncluded({ components: { schemas: { Request: request(field) } } })).toThrow(
      /Request includes .*Options, which is not described/,
    )
  })
})
