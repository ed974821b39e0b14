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

const nobody = '00000000-0000-7000-8000-000000000000'

/** A body that each route accepts, as far as its shape goes. */
export function bodyFor(route: ApiRoute, url: string): object {
  const path = route.path.replace(/^\/v1/, '/v2')
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
