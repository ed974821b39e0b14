import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Metrics } from '../jobs/telemetry/metrics.ts'
import { AppError } from '../platform/errors.ts'
import { createOwnHostCheck, isLocal } from './connections/client-address.ts'
import { addDocsRoutes, type DocsDeps } from './docs/docs-routes.ts'
import { hashOf } from './plain-routes.ts'
import { renderError } from './render-error.ts'

export interface OperatorDeps extends DocsDeps {
  metrics: Metrics
  authenticate: Authenticate
  /** OpenAPI description of each API version as JSON. Generated on first use, because most processes never serve it. */
  descriptions: Record<string, () => string>
  ready: () => Promise<{
    parts: Record<string, string>
    ages: Record<string, number>
    warnings: Record<string, string>
  }>
}

export function addOperatorRoutes(fastify: FastifyInstance, deps: OperatorDeps): void {
  const isOwnHost = createOwnHostCheck(deps.publicUrl)
  // With DNS rebinding, a local browser sends a foreign Host header, so the header must name this machine.
  const isFromThisMachine = (request: FastifyRequest) => isLocal(request) && isOwnHost(request.headers.host)

  fastify.get('/health/live', () => ({ status: 'live' }))
  fastify.get('/health/ready', async (request, reply) => {
    const { parts, ages, warnings } = await deps.ready()
    const isReady = Object.values(parts).every((state) => state === 'ok')
    const includeReasons = isFromThisMachine(request)
    const shownWarnings = includeReasons ? warnings : hideReasons(warnings, 'see the log')
    const fields = {
      parts: includeReasons ? parts : hideReasons(parts, 'failed, see the log'),
      ages,
      // Warnings do not affect readiness, so they are listed separately from the parts.
      ...(Object.keys(warnings).length === 0 ? {} : { warnings: shownWarnings }),
    }
    if (isReady) return { status: 'ready', ...fields }
    // Not thrown, because the request itself succeeded.
    const error = new AppError('NOT_READY', { status: 'not ready', ...fields })
    return reply.code(error.status).send(renderError(error, request.id).body)
  })
  fastify.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request)) await assertOperator(deps.authenticate, request)
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

async function assertOperator(authenticate: Authenticate, { headers }: FastifyRequest): Promise<void> {
  try {
    const team = await authenticate(headers.authorization)
    // Without keys (AUTH=off), only local clients are operators.
    if (!team.isOperator || team.keyId === null) throw new AppError('OPERATOR_KEY_REQUIRED')
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === 'UNAUTHORIZED')) throw thrown
    const message =
      'Unauthorized: metrics need the key of an operator ("Authorization: Bearer <key>"). Without a key, ask from the machine of the service, at 127.0.0.1, localhost or PUBLIC_URL and without a proxy.'
    throw new AppError('UNAUTHORIZED', thrown.detail, { message })
  }
}

/** Reasons contain addresses and folders of the installation, and this route requires no key. */
function hideReasons(parts: Record<string, string>, replacement: string): Record<string, string> {
  const entries = Object.entries(parts)
  return Object.fromEntries(entries.map(([part, state]) => [part, state === 'ok' ? 'ok' : replacement]))
}

export function addReferenceRoutes(fastify: FastifyInstance): void {
  fastify.get('/docs/reference', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff' })
      .send(page),
  )
  for (const [name, mediaType] of Object.entries(files)) {
    fastify.get(`/docs/${name}`, (_, reply) =>
      reply
        .type(mediaType)
        .headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
        // Streamed on request, because the script is 1.7 MB and most processes never serve it.
        .send(createReadStream(require.resolve(`@fastify/swagger-ui/static/${name}`))),
    )
  }
}

const require = createRequire(import.meta.url)

const files = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** `validatorUrl: null` keeps Swagger UI from sending the description to the server of its vendor. */
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

/** The content of `#reference` is for readers without JavaScript; the script replaces it. */
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Winnow: reference</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css"><style>${style}</style>
<div id="reference"><p>The API of Winnow is described in <a href="/v2/openapi.json">openapi.json</a>.</p></div>
<script src="/docs/swagger-ui-bundle.js"></script><script>${script}</script></html>`

/** Allows no external resources and no framing: calls with an API key are made from this page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(script)}`,
  `style-src 'self' ${hashOf(style)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
