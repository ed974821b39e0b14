import type { Duplex } from 'node:stream'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../base/errors.ts'
import { listener } from '../base/functions.ts'
import { openToPages } from './client-address.ts'
import type { Entrance } from './entrance.ts'
import { refuseSocket } from './render-error.ts'

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

export interface Methods {
  /** Why no route answers: there is none of that path, or it answers to other methods. */
  refusalOf(method: string, url: string): AppError
}

const noTunnels = 'This is not a proxy: it does not answer to CONNECT.'

/** A path as it was sent may be as long as a header. */
const longestShown = 200

/** Listens to the routes as they are added, so it has to be there before them. */
export function knownMethods(fastify: FastifyInstance): Methods {
  const routes: { method: string; pattern: RegExp }[] = []
  fastify.addHook('onRoute', ({ method, url }) => {
    // The route that answers browsers beforehand, whatever they ask for.
    if (url === '*') return
    for (const one of [method].flat()) routes.push({ method: one, pattern: patternOf(url) })
  })
  const refuse = (_: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    const allow = ['DELETE', 'GET', 'POST']
    refuseSocket(socket, new AppError('METHOD_NOT_ALLOWED', { allow }, { message: noTunnels }))
  }
  fastify.server.on(
    'connect',
    listener(refuse, (_, __, socket) => socket.destroy()),
  )
  return {
    refusalOf(method, url) {
      const path = url.split('?', 1)[0] ?? ''
      const found = routes.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
      const allow = [...new Set(found)].sort()
      const asked = `${method} ${path.length > longestShown ? `${path.slice(0, longestShown)}…` : path}`
      if (allow.length === 0) {
        const message = `There is no route ${asked}. The reference is at /docs/reference.`
        return new AppError('ROUTE_NOT_FOUND', {}, { message })
      }
      const message = `There is no route ${asked}. That path answers to ${allow.join(', ')}.`
      return new AppError('METHOD_NOT_ALLOWED', { allow }, { message })
    },
  }
}

/** As the router reads it: parameters are one segment, a star is the rest, and a slash at the end makes no difference. */
function patternOf(url: string): RegExp {
  const source = url.split('/').map(partPattern).join('/')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}

function partPattern(part: string): string {
  if (part === '*') return '.*'
  return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
