import type { FastifyInstance } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import { AppError } from '../base/errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { addDocsRoutes, type DocsNeeds } from './docs/docs-routes.ts'
import { isLocal } from './is-local.ts'
import { addReferenceRoutes } from './reference-routes.ts'
import { renderError } from './render-error.ts'

export interface OperatorNeeds extends DocsNeeds {
  metrics: Metrics
  authenticate: Authenticate
  /** The description of each version of the API as JSON. Written when it is first asked for: most processes never are. */
  descriptions: Record<string, () => string>
  /** Exercises each part; a part that fails says why. */
  ready: () => Promise<{ parts: Record<string, string>; ages: Record<string, number> }>
}

/** Routes for those who run the service rather than call it. */
export function addOperatorRoutes(fastify: FastifyInstance, needs: OperatorNeeds): void {
  fastify.get('/health/live', () => ({ status: 'live' }))
  fastify.get('/health/ready', async (request, reply) => {
    const { parts, ages } = await needs.ready()
    const isReady = Object.values(parts).every((state) => state === 'ok')
    const shown = isLocal(request) ? parts : withoutReasons(parts)
    if (isReady) return { status: 'ready', parts: shown, ages }
    // Not thrown: this is what was asked for, and no failure of the call.
    const { status, body } = renderError(
      new AppError('NOT_READY', { status: 'not ready', parts: shown, ages }),
      request.id,
    )
    return reply.code(status).send(body)
  })
  fastify.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) await needs.authenticate(request.headers.authorization)
    return reply.type(needs.metrics.contentType).send(await needs.metrics.text())
  })
  for (const [version, description] of Object.entries(needs.descriptions)) {
    fastify.get(`/${version}/openapi.json`, (_, reply) =>
      reply.type('application/json; charset=utf-8').send(description()),
    )
  }
  addReferenceRoutes(fastify)
  addDocsRoutes(fastify, needs)
  fastify.get('/', (_, reply) => reply.redirect(needs.hasConsole ? '/console/' : '/docs'))
}

/** Reasons name addresses and folders of the installation, and this route asks for no key: the log holds them. */
function withoutReasons(parts: Record<string, string>): Record<string, string> {
  const entries = Object.entries(parts)
  return Object.fromEntries(
    entries.map(([part, state]) => [part, state === 'ok' ? 'ok' : 'failed, see the log']),
  )
}
