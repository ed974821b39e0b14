import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { type AppError, toAppError } from '../base/errors.ts'

export interface SessionDoor {
  /** Finds the session behind an address; throws for those who may not come in, and where nothing is left to see. */
  place(asked: {
    purpose: 'view' | 'control'
    id: string
    token: string
    holder: string | undefined
  }): Promise<unknown>
}

/** The page that shows a session's browser. It opens a WebSocket at its own address. */
export function addLiveRoute(fastify: FastifyInstance, door: SessionDoor): void {
  const page = readPage()
  fastify.get<{ Params: { id: string }; Querystring: { token?: string; interactive?: string } }>(
    '/live/:id',
    async (request, reply) => {
      const { token = '', interactive } = request.query
      const purpose = interactive === 'true' ? 'control' : 'view'
      const asked = { purpose, id: request.params.id, token: String(token), holder: undefined } as const
      const refusal = await door.place(asked).then(() => undefined, toAppError)
      if (refusal?.code === 'INTERNAL') throw refusal
      return reply
        .code(refusal?.status ?? 200)
        .type('text/html; charset=utf-8')
        .headers(headersOf(page.policy))
        .send(refusal ? page.withNotice(refusal) : page.text)
    },
  )
}

/** Nothing says who may frame the page: it is made to be embedded. */
function headersOf(policy: string): Record<string, string> {
  return {
    'content-security-policy': policy,
    'cache-control': 'no-store',
    // The address carries the token.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

interface Page {
  policy: string
  text: string
  withNotice(refusal: AppError): string
}

/** One document with style and script inside, which alone the policy lets run. */
function readPage(): Page {
  const folder = new URL('../remote-browser/live-view/', import.meta.url)
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

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
