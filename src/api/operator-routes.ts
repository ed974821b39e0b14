import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Metrics } from '../jobs/telemetry/metrics.ts'
import { AppError } from '../platform/errors.ts'
import { isLocal, ownHost } from './connections/client-address.ts'
import { addDocsRoutes, type DocsDeps } from './docs/docs-routes.ts'
import { hashOf } from './plain-routes.ts'
import { renderError } from './render-error.ts'

export interface OperatorDeps extends DocsDeps {
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
export function addOperatorRoutes(fastify: FastifyInstance, deps: OperatorDeps): void {
  const isOwnHost = ownHost(deps.publicUrl)
  // A name of another site that resolves to this machine (DNS rebinding) reaches it from a page in a browser here, so the name in
  // the request has to be one of this machine.
  const isFromThisMachine = (request: FastifyRequest) => isLocal(request) && isOwnHost(request.headers.host)

  async function mustBeOperator(request: FastifyRequest): Promise<void> {
    // The key may be refused at once or after a query.
    const authenticate = async () => deps.authenticate(request.headers.authorization)
    const team = await authenticate().catch(explainMetrics)
    // Without keys (AUTH=off) only this machine is an operator.
    if (!team.isOperator || team.keyId === null) throw new AppError('OPERATOR_KEY_REQUIRED')
  }

  fastify.get('/health/live', () => ({ status: 'live' }))
  fastify.get('/health/ready', async (request, reply) => {
    const { parts, ages, warnings } = await deps.ready()
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
    return reply.type(deps.metrics.contentType).send(await deps.metrics.text())
  })
  for (const [version, description] of Object.entries(deps.descriptions)) {
    fastify.get(`/${version}/openapi.json`, (_, reply) =>
      reply.type('application/json; charset=utf-8').send(description()),
    )
  }
  addReferenceRoutes(fastify)
  addDocsRoutes(fastify, deps)
  fastify.get('/', (_, reply) => reply.redirect(deps.hasConsole ? '/console/' : '/docs'))
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

/** The API description as a page to read and to try calls on. Swagger UI is served from the installed package. */
export function addReferenceRoutes(fastify: FastifyInstance): void {
  fastify.get('/docs/reference', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
      .send(page),
  )
  for (const [name, mediaType] of Object.entries(files)) {
    fastify.get(`/docs/${name}`, (_, reply) =>
      reply
        .type(mediaType)
        .headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
        // Read when it is asked for: most processes never are, and the script is 1.7 MB.
        .send(createReadStream(require.resolve(`@fastify/swagger-ui/static/${name}`))),
    )
  }
}

const require = createRequire(import.meta.url)

const files = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** `validatorUrl`: the library would else show the description to a server of its makers. */
const script = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: '/v2/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`

const style = `
:root{color-scheme:light dark}body{margin:0;font-family:system-ui,sans-serif}noscript,#reference>p{display:block;padding:1rem}
html.dark-mode,html.dark-mode body{background:#1c2022}
`

/** What stands in the element is there for readers without scripts; the script writes over it. */
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Winnow: reference</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css"><style>${style}</style>
<div id="reference"><p>The API of Winnow is described in <a href="/v2/openapi.json">openapi.json</a>.</p></div>
<script src="/docs/swagger-ui-bundle.js"></script><script>${script}</script></html>`

/** Nothing is asked of anyone else, and no other page frames this one: calls are made from it with a key. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(script)}`,
  `style-src 'self' ${hashOf(style)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
