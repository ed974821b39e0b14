import { readFileSync } from 'node:fs'

export interface ApiRoute {
  method: string
  /** With its parameters in braces. */
  path: string
  takesBody: boolean
  /** It never ends by itself. */
  isEndless: boolean
}

interface Described {
  paths: Record<
    string,
    Record<string, { requestBody?: unknown; responses: Record<string, { content?: object }> }>
  >
}

/** Of both versions of the API. */
const described: Described[] = ['openapi.json', 'openapi-v1.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')),
)

/** Every route of the API as it is described, so that a new one is attacked by itself. */
export const apiRoutes: ApiRoute[] = described.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      takesBody: requestBody !== undefined,
      isEndless: 'text/event-stream' in (responses['200']?.content ?? {}),
    })),
  ),
)

/** Tools for language models are described by themselves. */
export const mcpRoute: ApiRoute = { method: 'POST', path: '/mcp', takesBody: true, isEndless: false }

/** The body of a request to `/mcp`. */
export const mcpBody = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Every use of a tool or a resource that an id can be put into. */
export const ownedTools: Record<string, (id: string) => object> = {
  read_result: (scrapeId) => useTool('read_result', { scrapeId }),
  interact: (scrapeId) => useTool('interact', { scrapeId, code: '1' }),
  interact_stop: (scrapeId) => useTool('interact_stop', { scrapeId }),
  browser_execute: (sessionId) => useTool('browser_execute', { sessionId, code: '1' }),
  browser_close: (sessionId) => useTool('browser_close', { sessionId }),
  ...Object.fromEntries(
    ['crawl', 'batch', 'extract'].flatMap((kind) => [
      [`job_status ${kind}`, (id: string) => useTool('job_status', { id, kind })],
      [`cancel_job ${kind}`, (id: string) => useTool('cancel_job', { id, kind })],
      [`resource ${kind}`, (id: string) => mcpBody('resources/read', { uri: `winnow://${kind}/${id}` })],
    ]),
  ),
  'resource scrapes': (id) => mcpBody('resources/read', { uri: `winnow://scrapes/${id}` }),
}

const useTool = (name: string, input: object) => mcpBody('tools/call', { name, arguments: input })

const nobody = '00000000-0000-7000-8000-000000000000'

/** A body that each route accepts, as far as its shape goes. */
export function bodyFor(route: ApiRoute, url: string): object {
  const path = route.path.replace(/^\/v1/, '/v2')
  if (path === '/mcp') return mcpBody('tools/list', {})
  if (path.endsWith('/execute')) return { code: '1' }
  if (path.endsWith('/interact') && path.includes('{id}')) return { code: '1' }
  if (path === '/v2/batch/scrape') return { urls: [url] }
  if (path === '/v2/extract') return { urls: [url], schema: { properties: { title: { type: 'string' } } } }
  if (path === '/v2/agent') return { prompt: 'all titles' }
  if (path === '/v2/crawl/params-preview') return { url, prompt: 'all pages' }
  if (path === '/v2/webhooks/test') return { webhook: url }
  if (path === '/v2/search/{id}/feedback') return { rating: 'good', valuableSources: [{ url }] }
  if (path === '/v2/feedback') return { endpoint: 'scrape', jobId: nobody, rating: 'good' }
  if (path === '/v2/search/developer') return { query: 'x', types: ['doc'] }
  if (path === '/v2/operator/teams') return { name: 'x' }
  if (path === '/v2/operator/teams/{id}') return { credits: 1 }
  if (path === '/v2/operator/keys') return { teamId: nobody }
  if (path === '/v2/console/key') return { code: 'x' }
  if (path === '/v2/browser' || path === '/v2/interact') return {}
  return { url }
}
