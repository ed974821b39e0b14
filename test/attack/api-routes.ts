import { readFileSync } from 'node:fs'

export interface ApiRoute {
  method: string
  /** Path with its parameters in braces. */
  path: string
  takesBody: boolean
  /** True if the response does not end by itself. */
  isEndless: boolean
}

interface Description {
  paths: Record<
    string,
    Record<string, { requestBody?: unknown; responses: Record<string, { content?: object }> }>
  >
}

/** OpenAPI descriptions of both versions of the API. */
const descriptions: Description[] = ['openapi.json', 'openapi-v1.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')),
)

/** All routes of the descriptions, so that the attacks also cover new routes. */
export const apiRoutes: ApiRoute[] = descriptions.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      takesBody: requestBody !== undefined,
      isEndless: 'text/event-stream' in (responses['200']?.content ?? {}),
    })),
  ),
)

/** Route of the MCP server, which the OpenAPI descriptions do not contain. */
export const mcpRoute: ApiRoute = { method: 'POST', path: '/mcp', takesBody: true, isEndless: false }

/** Returns the body of a request to `/mcp`. */
export const mcpBody = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Every use of a tool or a resource that accepts an id. */
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

const unknownId = '00000000-0000-7000-8000-000000000000'

/** Returns a body that is valid for the route. */
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
  if (path === '/v2/feedback') return { endpoint: 'scrape', jobId: unknownId, rating: 'good' }
  if (path === '/v2/search/developer') return { query: 'x', types: ['doc'] }
  if (path === '/v2/operator/teams') return { name: 'x' }
  if (path === '/v2/operator/teams/{id}') return { credits: 1 }
  if (path === '/v2/operator/keys') return { teamId: unknownId }
  if (path === '/v2/console/key') return { code: 'x' }
  if (path === '/v2/browser' || path === '/v2/interact') return {}
  return { url }
}
