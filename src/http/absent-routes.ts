import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { Entrance } from './entrance.ts'
import { openToPages } from './open-to-pages.ts'

/** A route that clients of this API know and that is not served here. */
export interface AbsentRoute {
  methods: HTTPMethods[]
  path: string
  refusal(): AppError
}

interface AbsentFeature {
  name: string
  /** What comes closest to it here, or what has to be done to have it. */
  instead: string
  routes: string[]
}

const features: AbsentFeature[] = [
  {
    name: 'hosted search index',
    instead:
      'POST /v2/search searches the web and the own pages, GET /v2/search/research/papers finds papers, POST /v2/search/developer code.',
    routes: ['GET /v2/search/research', 'GET /v2/search/research/*', 'GET,POST /v2/search/gov'],
  },
  {
    name: 'deep research',
    instead: 'POST /v2/crawl with a prompt gathers the pages of a site.',
    routes: ['POST /v2/deep-research', 'GET /v2/deep-research/:id'],
  },
  {
    name: 'llms.txt',
    instead: 'POST /v2/map lists the pages that such a file would name.',
    routes: ['POST /v2/llmstxt', 'GET /v2/llmstxt/:id'],
  },
  {
    name: 'monitor',
    instead: 'POST /v2/scrape with the format changeTracking tells what changed since the last call.',
    routes: [
      'GET,POST /v2/monitor',
      'GET,PATCH,DELETE /v2/monitor/:id',
      'POST /v2/monitor/:id/run',
      'GET /v2/monitor/:id/checks',
      'GET /v2/monitor/:id/checks/:check',
    ],
  },
  {
    name: 'catalogue of data providers',
    instead: 'POST /v2/search finds pages, POST /v2/scrape reads values from them.',
    // Clients ask for it outside /v2.
    routes: ['GET /exchange/discover'],
  },
  {
    name: 'upload in two steps',
    instead: 'POST /v2/parse takes the file itself, as multipart/form-data.',
    routes: ['POST /v2/parse/upload-url', 'PUT /v2/parse/upload/:upload'],
  },
  {
    name: 'list of file types',
    instead:
      'POST /v2/parse tells them from the bytes of the file, and refuses by name those it does not know.',
    routes: ['GET /v2/parse/formats'],
  },
  {
    name: 'recording of sessions',
    instead: 'liveViewUrl of a session shows it while it runs.',
    routes: ['GET /v2/browser/:id/replay/:page', 'GET /v2/interact/:id/replay/:page'],
  },
  {
    name: 'threat protection',
    instead: 'Which addresses may be contacted is set by ALLOW_PRIVATE_NETWORK.',
    routes: ['GET,PUT /v2/team/threat-protection'],
  },
]

/** Every route that clients may ask for and that this version does not have. */
export const absentRoutes = routesOf(features)

export function routesOf(absent: AbsentFeature[]): AbsentRoute[] {
  return absent.flatMap(({ name, instead, routes }) =>
    routes.map((route) => {
      const [methods = '', path = ''] = route.split(' ')
      const message = `Not available on this installation: ${name}. ${instead}`
      return {
        // The names above are those of HTTP.
        methods: methods.split(',') as HTTPMethods[],
        path,
        refusal: () => new AppError('FEATURE_NOT_AVAILABLE', { feature: name, hint: instead }, { message }),
      }
    }),
  )
}

/** Answers callers with access what is missing, before any body is read. */
export function addAbsentRoute(
  fastify: FastifyInstance,
  { methods, path, refusal }: AbsentRoute,
  needs: { entrance: Entrance; corsOpen: boolean },
): void {
  fastify.route({
    method: methods,
    url: path,
    onRequest: (request, reply, done) => {
      if (needs.corsOpen) reply.headers(openToPages)
      needs.entrance.letIn(request, reply, (refused) => done(refused ?? refusal()), {
        lane: 'read',
        access: 'team',
      })
    },
    handler: () => undefined,
  })
}
