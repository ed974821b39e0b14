import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import { AppError } from '../base/errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { ownHost } from './check-origin.ts'
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
  ready: () => Promise<{
    parts: Record<string, string>
    ages: Record<string, number>
    warnings: Record<string, string>
  }>
}

/** Routes for those who run the service rather than call it. */
export function addOperatorRoutes(fastify: FastifyInstance, needs: OperatorNeeds): void {
  const isOwnHost = ownHost(needs.publicUrl)
  // A name of another site that resolves to this machine (DNS rebinding) reaches it from a page in a browser here, so the name in
  // the request has to be one of this machine.
  const isFromThisMachine = (request: FastifyRequest) => isLocal(request) && isOwnHost(request.headers.host)

  async function mustBeOperator(request: FastifyRequest): Promise<void> {
    // The key may be refused at once or after a query.
    const authenticate = async () => needs.authenticate(request.headers.authorization)
    const team = await authenticate().catch(explainMetrics)
    // Without keys (AUTH=off) only this machine is an operator.
    if (!team.isOperator || team.keyId === null) throw new AppError('OPERATOR_KEY_REQUIRED')
  }

  fastify.get('/health/live', () => ({ status: 'live' }))
  fastify.get('/health/ready', async (request, reply) => {
    const { parts, ages, warnings } = await needs.ready()
    const isReady = Object.values(parts).every((state) => state === 'ok')
    const showsReasons = isFromThisMachine(request)
    const shown = showsReasons ? parts : withoutReasons(parts, 'failed, see the log')
    // Warnings do not keep the service from working, so they are named beside the parts.
    const shownWarnings = showsReasons ? warnings : withoutReasons(warnings, 'see the log')
    const named = Object.keys(warnings).length === 0 ? {} : { warnings: shownWarnings }
    if (isReady) return { status: 'ready', parts: shown, ages, ...named }
    // Not thrown: this is what was asked for, and no failure of the call.
    const { status, body } = renderError(
      new AppError('NOT_READY', { status: 'not ready', parts: shown, ages, ...named }),
      request.id,
    )
    return reply.code(status).send(body)
  })
  fastify.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request)) await mustBeOperator(request)
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

function explainMetrics(thrown: unknown): never {
  if (!(thrown instanceof AppError && thrown.code === 'UNAUTHORIZED')) throw thrown
  const message =
    'Unauthorized: metrics need the key of an operator ("Authorization: Bearer <key>"). Without a key, ask from the machine of the service, at 127.0.0.1, localhost or PUBLIC_URL and without a proxy.'
  throw new AppError('UNAUTHORIZED', thrown.detail, { message })
}

/** Reasons name addresses and folders of the installation, and this route asks for no key: the log holds them. */
function withoutReasons(parts: Record<string, string>, instead: string): Record<string, string> {
  const entries = Object.entries(parts)
  return Object.fromEntries(entries.map(([part, state]) => [part, state === 'ok' ? 'ok' : instead]))
}
