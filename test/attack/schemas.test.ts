import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { modelAnswers } from '../servers/model-answers.ts'
import { startModelServer } from '../servers/model-server.ts'
import { type Site, startSite } from '../site/site.ts'
import { apiRoutes, mcpBody } from './api-routes.ts'
import { attackClass, isFull } from './attack.ts'
import { type HostileSchema, hostileSchemas } from './hostile-schemas.ts'

/** Schemas of one team must not block the service or the scrapes of another team. */
let site: Site
let own: OwnService
let other: string
let model: Awaited<ReturnType<typeof startModelServer>>
/** Completion that the language model returns. */
let completion = '{}'

beforeAll(async () => {
  site = await startSite()
  model = await startModelServer(() => ({ body: modelAnswers('openai').text(completion) }))
  own = await startOwnService({
    ...{ TEAM_CONCURRENCY: '16', RATE_PER_MINUTE: '1000000' },
    ...{ MODEL_URL: model.url, MODEL_NAME: 'hostile', MODEL_KEY: 'x' },
  })
  other = await own.newTeam()
})
afterAll(async () => {
  await own.remove()
  await model.stop()
  await site.stop()
})

const url = () => `${site.url}/article`
const inJson = (schema: object) => [{ type: 'json', schema }]
const inTracking = (schema: object) => ['markdown', { type: 'changeTracking', modes: ['json'], schema }]

/** Request bodies with the schema, by the path of each route that accepts one. */
const bodiesByPath: Record<string, ((schema: object) => unknown)[]> = {
  '/v2/scrape': [
    (schema) => ({ url: url(), formats: inJson(schema) }),
    (schema) => ({ url: url(), formats: [{ type: 'deterministicJson', schema }] }),
    (schema) => ({ url: url(), formats: inTracking(schema) }),
  ],
  '/v2/batch/scrape': [(schema) => ({ urls: [url()], formats: inJson(schema) })],
  '/v2/crawl': [(schema) => ({ url: url(), limit: 1, scrapeOptions: { formats: inJson(schema) } })],
  '/v2/search': [(schema) => ({ query: 'x', scrapeOptions: { formats: inJson(schema) } })],
  '/v2/extract': [(schema) => ({ urls: [url()], schema })],
  '/v2/agent': [(schema) => ({ prompt: 'titles', urls: [url()], schema })],
  '/v2/parse': [(schema) => form({ formats: inJson(schema) })],
  '/v1/scrape': [
    (schema) => ({ url: url(), formats: ['json'], jsonOptions: { schema } }),
    (schema) => ({ url: url(), formats: ['extract'], extract: { schema } }),
    (schema) => ({
      url: url(),
      formats: ['markdown', 'changeTracking'],
      changeTrackingOptions: { modes: ['json'], schema },
    }),
  ],
  '/v1/batch/scrape': [(schema) => ({ urls: [url()], formats: ['json'], jsonOptions: { schema } })],
  '/v1/crawl': [
    (schema) => ({ url: url(), limit: 1, scrapeOptions: { formats: ['json'], jsonOptions: { schema } } }),
  ],
  '/v1/search': [(schema) => ({ query: 'x', scrapeOptions: { formats: ['json'], jsonOptions: { schema } } })],
  '/v1/extract': [(schema) => ({ urls: [url()], schema })],
  '/mcp': [
    (schema) => mcpBody('tools/call', { name: 'scrape', arguments: { url: url(), schema } }),
    (schema) => mcpBody('tools/call', { name: 'extract', arguments: { urls: [url()], schema } }),
  ],
}

function form(options: object): FormData {
  const data = new FormData()
  data.append('file', new Blob(['<h1>A title</h1>'], { type: 'text/html' }), 'page.html')
  data.append('options', JSON.stringify(options))
  return data
}

async function send(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const isForm = body instanceof FormData
  const response = await fetch(own.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${own.key}`,
      ...(isForm
        ? {}
        : { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

/** Returns the harm to other callers during an attack. */
async function harmToOthers(): Promise<string | undefined> {
  const scraped = callAt(own.url, 'POST', '/v2/scrape', { key: other, body: { url: url(), maxAge: 0 } })
  const [health, { status }] = await Promise.all([fetch(`${own.url}/health/live`), scraped])
  if (health.status !== 200) return `health was answered ${health.status}`
  return status === 200 ? undefined : `the scrape of another team was answered ${status}`
}

interface Vector extends HostileSchema {
  path: string
  place: number
}

const vectors: Vector[] = hostileSchemas.flatMap((hostile) =>
  Object.entries(bodiesByPath).flatMap(([path, bodies]) =>
    bodies.map((_, place) => ({ ...hostile, path, place })),
  ),
)
/** Every route with the most expensive schema, and every schema on one route. */
const sample = vectors.filter(
  ({ schema, path, place }) =>
    schema === hostileSchemas[0]?.schema || (path === '/v2/extract' && place === 0),
)

describe('a JSON schema of a caller', () => {
  it('is accepted by no route other than the attacked ones', () => {
    const routesWithSchema = apiRoutes
      .filter(({ path, method }) => takesSchema(path, method))
      .map(({ path }) => path)
    expect(
      Object.keys(bodiesByPath)
        .filter((path) => path !== '/mcp')
        .sort(),
    ).toEqual([...new Set(routesWithSchema)].sort())
  })

  attackClass({
    name: 'schemas: exponential, wide, deep and recursive ones',
    vectors: isFull ? vectors : sample,
    concurrency: 4,
    run: async ({ path, place, schema }) => {
      const body = bodiesByPath[path]?.[place]?.(schema)
      const [{ status, text }, harm] = await Promise.all([send(path, body), harmToOthers()])
      if (harm !== undefined) return harm
      if (status >= 500 && !text.includes('SEARCH_')) return `answered ${status}: ${text.slice(0, 200)}`
      const isNamed = status !== 400 || /MAX_[A-Z_]+/.test(text)
      return isNamed ? undefined : `refused without the name of a bound: ${text.slice(0, 200)}`
    },
  })
})

describe('a completion of the language model', () => {
  const keys = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"key${index}":${index}`).join(',')}}`
  const list = (count: number) =>
    `{"title":[${Array.from({ length: count }, (_, index) => `{"value":"${index}","quote":"${index}"}`).join(',')}]}`

  attackClass({
    name: 'model answers: many keys, many values, many bytes',
    vectors: [
      keys(400_000),
      keys(50_000),
      list(20_000),
      '['.repeat(500_000),
      `{"title":${'[['.repeat(5000)}`,
    ],
    run: async (modelText) => {
      completion = modelText
      const schema = {
        type: 'object',
        properties: { nowhere: { type: 'string' }, title: { type: 'array', items: { type: 'string' } } },
      }
      const body = { url: url(), maxAge: 0, formats: ['markdown', { type: 'json', schema, prompt: 'read' }] }
      const [{ status, text }, ...harms] = await Promise.all([
        send('/v2/scrape', body),
        ...Array.from({ length: 5 }, harmToOthers),
      ])
      const harm = harms.find((found) => found !== undefined)
      return harm ?? (status === 200 ? undefined : `answered ${status}: ${text.slice(0, 200)}`)
    },
  })

  it('beyond the bound is rejected with the name of the bound', async () => {
    completion = keys(400_000)
    const schema = { type: 'object', properties: { nowhere: { type: 'string' } } }
    const body = { url: url(), maxAge: 0, formats: ['markdown', { type: 'json', schema, prompt: 'read' }] }
    const { text } = await send('/v2/scrape', body)
    expect(text).toContain('MAX_MODEL_ANSWER_BYTES')
  })
})

const documents: Json[] = ['openapi.json', 'openapi-v1.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')),
)

/** Returns true if the request body of the route contains a field `schema` at any depth. */
function takesSchema(path: string, method: string): boolean {
  return documents.some((document) => {
    const body = document.paths[path]?.[method.toLowerCase()]?.requestBody
    return body !== undefined && hasSchemaField(document, body, new Set())
  })
}

function hasSchemaField(document: Json, part: Json, seen: Set<unknown>): boolean {
  if (typeof part !== 'object' || part === null || seen.has(part)) return false
  seen.add(part)
  if (typeof part.$ref === 'string') {
    const target = part.$ref
      .split('/')
      .slice(1)
      .reduce((node: Json, name: string) => node?.[name], document)
    return hasSchemaField(document, target, seen)
  }
  if (JSON.stringify(part.properties?.schema ?? {}).includes('x-max-bytes')) return true
  return Object.values(part).some((inner) => hasSchemaField(document, inner, seen))
}
