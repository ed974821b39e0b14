import type { Duplex } from 'node:stream'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { listener } from '../platform/functions.ts'
import { jsonFile } from '../platform/json/json.ts'
import type { RequestAuthorizer } from './connections/authorize-request.ts'
import { corsHeaders } from './connections/client-address.ts'
import { rejectSocket } from './render-error.ts'

export type UnsupportedRoute = ReturnType<typeof unsupportedRoutes>[number]

export interface UnsupportedFeature {
  name: string
  instead: string
  routes: string[]
}

type Version = 'v1' | 'v2'

const features = jsonFile<Record<Version, UnsupportedFeature[]>>(
  new URL('./absent-features.json', import.meta.url),
)

/** The last routes of v1 match all other paths. */
export function unsupportedRoutes(version: Version) {
  return features()[version].flatMap(({ name, instead, routes }) =>
    routes.map((route) => {
      const [methods = '', path = ''] = route.split(' ')
      const message = `Not available on this installation: ${name}. ${instead}`
      return {
        // The cast is safe: the file only contains HTTP methods.
        methods: methods.split(',') as HTTPMethods[],
        path,
        createError: () =>
          new AppError('FEATURE_NOT_AVAILABLE', { feature: name, hint: instead }, { message }),
      }
    }),
  )
}

export function addUnsupportedRoute(
  fastify: FastifyInstance,
  { methods, path, createError }: UnsupportedRoute,
  deps: { authorizer: RequestAuthorizer; allowsAllOrigins: boolean },
): void {
  fastify.route({
    method: methods,
    url: path,
    onRequest: (request, reply, done) => {
      if (deps.allowsAllOrigins) reply.headers(corsHeaders)
      deps.authorizer.authorize(request, reply, (error) => done(error ?? createError()), {
        rateLimitClass: 'read',
        access: 'team',
      })
    },
    handler: () => undefined,
  })
}

export type MethodIndex = ReturnType<typeof createMethodIndex>

const connectMessage = 'This is not a proxy: it does not answer to CONNECT.'

/** Maximum characters of a path in an error message. A path can be as long as a header. */
const maxPathLength = 200

/** Indexes the methods of each route as routes are added. Call it before adding routes. */
export function createMethodIndex(fastify: FastifyInstance) {
  const routes: { method: string; pattern: RegExp }[] = []
  fastify.addHook('onRoute', ({ method, url }) => {
    // The CORS preflight route, which matches every path.
    if (url === '*') return
    for (const verb of [method].flat()) routes.push({ method: verb, pattern: toPattern(url) })
  })
  const rejectConnect = (_: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    const allow = ['DELETE', 'GET', 'POST']
    rejectSocket(socket, new AppError('METHOD_NOT_ALLOWED', { allow }, { message: connectMessage }))
  }
  fastify.server.on(
    'connect',
    listener(rejectConnect, (_, __, socket) => socket.destroy()),
  )
  return {
    createError(method: string, url: string): AppError {
      const path = url.split('?', 1)[0] ?? ''
      const matching = routes.filter(({ pattern }) => pattern.test(path)).map((route) => route.method)
      const allow = [...new Set(matching)].sort()
      const requested = `${method} ${path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path}`
      if (allow.length === 0) {
        const message = `There is no route ${requested}. The reference is at /docs/reference.`
        return new AppError('ROUTE_NOT_FOUND', {}, { message })
      }
      const message = `There is no route ${requested}. That path answers to ${allow.join(', ')}.`
      return new AppError('METHOD_NOT_ALLOWED', { allow }, { message })
    },
  }
}

/** Like the router: a parameter matches one segment, `*` the rest; a trailing slash is optional. */
function toPattern(url: string): RegExp {
  const source = url.split('/').map(toSegmentPattern).join('/')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}

function toSegmentPattern(part: string): string {
  if (part === '*') return '.*'
  return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
