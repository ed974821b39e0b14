import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AppError, toAppError } from '../platform/errors.ts'
import type { App } from './app.ts'
import { createDisconnectSignal } from './connections/open-connections.ts'

export interface SessionAccess {
  /** Finds the session behind an address; throws for those who may not come in, and where nothing is left to see. */
  place(asked: {
    purpose: 'view' | 'control'
    id: string
    token: string
    holder: string | undefined
  }): Promise<unknown>
}

/** The page that shows a session's browser. It opens a WebSocket at its own address. */
export function addLiveRoute(fastify: FastifyInstance, door: SessionAccess): void {
  const page = readPage()
  fastify.get<{ Params: { id: string }; Querystring: { token?: string; interactive?: string } }>(
    '/live/:id',
    async (request, reply) => {
      const { token = '', interactive } = request.query
      const purpose = interactive === 'true' ? 'control' : 'view'
      const asked = { purpose, id: request.params.id, token: String(token), holder: undefined } as const
      const refusal = await door.place(asked).then(() => undefined, toAppError)
      if (refusal?.code === 'INTERNAL') throw refusal
      return (
        reply
          .code(refusal?.status ?? 200)
          .type('text/html; charset=utf-8')
          // Nothing says who may frame the page: it is made to be embedded.
          .headers({
            'content-security-policy': page.policy,
            'cache-control': 'no-store',
            // The address carries the token.
            'referrer-policy': 'no-referrer',
            'x-content-type-options': 'nosniff',
          })
          .send(refusal ? page.withNotice(refusal) : page.text)
      )
    },
  )
}

interface Page {
  policy: string
  text: string
  withNotice(refusal: AppError): string
}

/** One document with style and script inside, which alone the policy lets run. */
function readPage(): Page {
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
    // The script sets the size of the picture through the object model, which needs no right of its own.
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const escaped = (words: string) => words.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return {
    policy: policy.join('; '),
    text,
    withNotice: ({ message, status }) =>
      text.replace('<body>', () => `<body data-notice="${escaped(message)}" data-status="${status}">`),
  }
}

/** What a content security policy names a script or a style inside a page by. */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Files behind signed addresses: no key, since browsers and language models follow them as they stand. */
export function addFileRoute(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { id: string }; Querystring: { expires?: string; signature?: string } }>(
    '/v2/files/:id',
    async (request, reply) => {
      const { expires = '', signature = '' } = request.query
      const file = await app.readFile(request.params.id, expires, signature)
      return (
        reply
          .type(file.mediaType)
          // What a stranger's page produced is shown as what it is, and runs nothing here.
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'private, max-age=3600')
          .send(Buffer.from(file.bytes))
      )
    },
  )
}

/**
 * What other processes of the installation ask of the sessions that live here. It has a secret of its own in place of a key,
 * and counts against no budget: the call was counted where it came in.
 */
export function addPeerRoute(fastify: FastifyInstance, app: App): void {
  fastify.post<{ Params: { id: string; name: string } }>(
    '/internal/sessions/:id/:name',
    // Before the body is read: a stranger cannot make the service parse megabytes.
    { onRequest: (request) => app.sessions.mustBePeer(tokenOf(request)) },
    async (request, reply) => {
      const call = { ...request.params, input: request.body, token: tokenOf(request) }
      return { output: await app.sessions.servePeer(call, createDisconnectSignal(reply)) }
    },
  )
}

function tokenOf({ headers }: FastifyRequest): string {
  return /^peer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
