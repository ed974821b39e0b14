import { readdirSync } from 'node:fs'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints, v1Endpoints } from '../../src/bootstrap/server.ts'
import { alphabets, textOf } from './hostile-values.ts'
import type { WorstCall } from './worst-calls.ts'

const docs = new URL('../../docs/', import.meta.url)
const maxMessages = 50

/** Calls of endpoints that read only the path. */
const pathCalls: WorstCall[] = [...endpoints, ...v1Endpoints].flatMap((endpoint) => {
  const { method, path, body, query, streams } = endpoint as Endpoint
  const call: WorstCall = { method, path, label: 'by its path', ...(streams ? { isEndless: true } : {}) }
  return body || query ? [] : [call]
})

const get = (path: string): WorstCall => ({ method: 'GET', path, label: 'plain' })

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const mcp = (label: string, body: unknown): WorstCall => ({ method: 'POST', path: '/mcp', label, body })
const resources = ['crawl/{crawl}', 'batch/{batch}', 'extract/{extract}', 'scrapes/{scrape}']

/** Calls of every route that is not derived from a schema. */
export const plainCalls: WorstCall[] = [
  ...pathCalls,
  ...['/', '/health/ready', '/metrics', '/v1/openapi.json', '/v2/openapi.json', '/llms.txt'].map(get),
  ...['/llms-full.txt', '/docs', '/docs.md', '/docs/reference', '/docs/swagger-ui.css', '/docs/docs.css'].map(
    get,
  ),
  ...[
    '/docs/swagger-ui-bundle.js',
    '/docs/docs.js',
    '/docs/pictures/none',
    '/console/',
    '/exchange/discover',
  ].map(get),
  ...['/v2/files/{file}', '/live/{live}', '/live/{session}?token=none'].map(get),
  ...readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [get(`/docs/${name}`), get(`/docs/${name.slice(0, -'.md'.length)}`)]),
  ...Object.values(alphabets).map((alphabet) =>
    get(`/docs/find?q=${encodeURIComponent(textOf(alphabet, 200))}`),
  ),
  { method: 'POST', path: '/internal/sessions/{session}/execute', label: 'without the secret', body: {} },
  mcp('tools/list', message('tools/list')),
  mcp('resources/list', message('resources/list')),
  mcp('resources/templates/list', message('resources/templates/list')),
  ...resources.map((resource) =>
    mcp(`resources/read ${resource}`, message('resources/read', { uri: `winnow://${resource}` })),
  ),
  mcp(
    'most messages',
    Array.from({ length: maxMessages }, (_, id) => ({ ...message('tools/list'), id })),
  ),
]
