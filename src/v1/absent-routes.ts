import { routesOf } from '../http/absent-routes.ts'

/** What clients of the first version call and what has no counterpart here, and whatever else they may ask for. */
export const v1AbsentRoutes = routesOf([
  {
    name: 'deep research',
    instead:
      'POST /v2/agent looks for pages by itself and answers; POST /v2/search with scrapeOptions reads what it finds.',
    routes: ['POST /v1/deep-research', 'GET /v1/deep-research/:id'],
  },
  {
    name: 'llms.txt',
    instead: 'POST /v1/map lists the pages that such a file would name.',
    routes: ['POST /v1/llmstxt', 'GET /v1/llmstxt/:id'],
  },
  {
    name: 'this call of the first version',
    instead:
      'The same may be under /v2; GET /v1/openapi.json lists the calls of the first version that are served.',
    routes: ['GET,POST,DELETE /v1/*'],
  },
  {
    name: 'the version before the first, /v0',
    instead: 'The same calls are under /v2, with other shapes: GET /v2/openapi.json describes them.',
    routes: ['GET,POST,DELETE /v0/*'],
  },
])
