import type { Duplex } from 'node:stream'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { listener } from '../platform/functions.ts'
import { jsonFile } from '../platform/json/json.ts'
import type { RequestAuthorizer } from './connections/authorize-request.ts'
import { corsHeaders } from './connections/client-address.ts'
import { rejectSocket } from './render-error.ts'

/** A route that clients of this API know and that is not served here. */
export interface UnsupportedRoute {
  methods: HTTPMethods[]
  path: string
  refusal(): AppError
}

export interface UnsupportedFeature {
  name: string
  /** What comes closest to it here, or what has to be done to have it. */
  instead: string
  routes: string[]
}

type Version = 'v1' | 'v2'

const features = jsonFile<Record<Version, UnsupportedFeature[]>>(
  new URL('./absent-features.json', import.meta.url),
)

/** Every route that clients may ask for and that this version does not have; the last ones of the first version are whatever else they ask for. */
export function unsupportedRoutes(version: Version): UnsupportedRoute[] {
  return features()[version].flatMap(({ name, instead, routes }) =>
    routes.map((route) => {
      const [methods = '', path = ''] = route.split(' ')
      const message = `Not available on this installation: ${name}. ${instead}`
      return {
        // The names in the file are those of HTTP.
        methods: methods.split(',') as HTTPMethods[],
        path,
        refusal: () => new AppError('FEATURE_NOT_AVAILABLE', { feature: name, hint: instead }, { message }),
      }
    }),
  )
}

/** Answers callers with access what is missing, before any body is read. */
export function addUnsupportedRoute(
  fastify: FastifyInstance,
  { methods, path, refusal }: UnsupportedRoute,
  deps: { entrance: RequestAuthorizer; corsOpen: boolean },
): void {
  fastify.route({
    method: methods,
    url: path,
    onRequest: (request, reply, done) => {
      if (deps.corsOpen) reply.headers(corsHeaders)
      deps.entrance.letIn(request, reply, (refused) => done(refused ?? refusal()), {
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
export function createMethodIndex(fastify: FastifyInstance): Methods {
  const routes: { method: string; pattern: RegExp }[] = []
  fastify.addHook('onRoute', ({ method, url }) => {
    // The route that answers browsers beforehand, whatever they ask for.
    if (url === '*') return
    for (const one of [method].flat()) routes.push({ method: one, pattern: patternOf(url) })
  })
  const refuse = (_: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    const allow = ['DELETE', 'GET', 'POST']
    rejectSocket(socket, new AppError('METHOD_NOT_ALLOWED', { allow }, { message: noTunnels }))
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
