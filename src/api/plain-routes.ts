import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AppError, toAppError } from '../platform/errors.ts'
import type { App } from './app.ts'
import { createDisconnectSignal } from './connections/open-connections.ts'

export function addLiveRoute(
  fastify: FastifyInstance,
  access: { locate(request: Parameters<App['sessions']['locate']>[0]): Promise<unknown> },
): void {
  const page = readPage()
  fastify.get<{ Params: { id: string }; Querystring: { token?: string; interactive?: string } }>(
    '/live/:id',
    async (request, reply) => {
      const { token = '', interactive } = request.query
      const purpose = interactive === 'true' ? 'control' : 'view'
      const sessionRequest = { ...request.params, purpose, token: String(token), holder: undefined } as const
      const error = await access.locate(sessionRequest).then(() => undefined, toAppError)
      if (error?.code === 'INTERNAL') throw error
      return (
        reply
          .code(error?.status ?? 200)
          .type('text/html; charset=utf-8')
          // No `frame-ancestors` directive, because the page is meant to be embedded.
          .headers({
            'content-security-policy': page.policy,
            'cache-control': 'no-store',
            // The URL contains the token.
            'referrer-policy': 'no-referrer',
            'x-content-type-options': 'nosniff',
          })
          .send(error ? page.withNotice(error) : page.text)
      )
    },
  )
}

function readPage() {
  const folder = new URL('../sessions/live-view/', import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const style = read('page.css')
  const script = `{\n${read('page.js')}\n${read('page-input.js')}}`
  const text = read('page.html')
    .replace('/* page.css */', () => style)
    .replace('/* page.js */', () => script)
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    // The script sets the image size through the CSSOM, which the policy does not restrict.
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const escapeHtml = (value: string) =>
    value.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return {
    policy: policy.join('; '),
    text,
    withNotice: ({ message, status }: AppError) =>
      text.replace('<body>', () => `<body data-notice="${escapeHtml(message)}" data-status="${status}">`),
  }
}

export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Requires no key: browsers and language models follow these signed URLs as they are. */
export function addFileRoute(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { id: string }; Querystring: { expires?: string; signature?: string } }>(
    '/v2/files/:id',
    async (request, reply) => {
      const { expires = '', signature = '' } = request.query
      const file = await app.readFile(request.params.id, expires, signature)
      return (
        reply
          .type(file.mediaType)
          // The file comes from an untrusted page, so it is shown with its declared type and cannot run scripts.
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'private, max-age=3600')
          .send(Buffer.from(file.bytes))
      )
    },
  )
}

/** Uses a secret instead of an API key. It has no rate limit: the call was counted where it arrived. */
export function addPeerRoute(fastify: FastifyInstance, app: App): void {
  fastify.post<{ Params: { id: string; name: string } }>(
    '/internal/sessions/:id/:name',
    // Runs before the body is read, so unauthenticated clients cannot make the service parse megabytes.
    { onRequest: (request) => app.sessions.assertPeer(peerToken(request)) },
    async (request, reply) => {
      const call = { ...request.params, input: request.body, token: peerToken(request) }
      return { output: await app.sessions.servePeer(call, createDisconnectSignal(reply)) }
    },
  )
}

function peerToken({ headers }: FastifyRequest): string {
  return /^peer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
