import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'

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

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

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
