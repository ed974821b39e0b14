import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { type Log, silentLog } from '../platform/log.ts'
import type { App } from './app.ts'
import { createOpenConnections } from './connections/open-connections.ts'
import { defineEndpoint, envelope, ok } from './endpoint.ts'
import { createServer, type Server, type ServerDeps } from './server.ts'

const say = defineEndpoint({
  ...{ method: 'POST', path: '/say/{word}', summary: 'Says a word', tag: 'Test', errors: [] },
  params: z.object({ word: z.string() }),
  body: z.strictObject({ times: z.int().default(1) }),
  response: envelope({ said: z.string() }),
  handle({ params, body, team }) {
    if (params.word === 'bug') throw new Error('a bug')
    if (params.word === 'unlisted') throw new AppError('JOB_NOT_FOUND')
    if (params.word === 'misfit') return ok({ said: 5 as never })
    return ok({ said: `${team.name}: ${params.word.repeat(body.times)}` })
  },
})

// Handlers here look at the name alone.
const team = { name: 'team' } as Team

let stopLast: () => Promise<void> = async () => undefined
afterEach(() => stopLast())

/** A server that says who was let in, what was counted, and what went wrong. */
async function scene(changes: Partial<ServerDeps> = {}, addTo: (server: Server) => void = () => {}) {
  const steps: string[] = []
  const log: Log = {
    ...silentLog,
    info(fields: { status?: number; code?: string }, message) {
      steps.push(`${message} ${fields.status} ${fields.code ?? ''}`.trim())
    },
    warn: (_, message) => void steps.push(message),
    error: (_, message) => void steps.push(message),
  }
  const server = createServer({
    ...{ app: {} as App, endpoints: [say], log, publicUrl: () => '', checkResponses: false },
    absent: [{ methods: ['POST'], path: '/absent', refusal: () => new AppError('FEATURE_NOT_AVAILABLE') }],
    authenticate: async (header) => {
      steps.push('authenticate')
      if (header !== 'Bearer key') throw new AppError('UNAUTHORIZED')
      return team
    },
    admit: (_, lane) => void steps.push(`admit ${lane}`),
    metrics: {
      turnBlocked: () => {},
      call: ({ route, status }) => void steps.push(`count ${route} ${status}`),
    } as ServerDeps['metrics'],
    checkOrigin: () => void steps.push('origin'),
    ...{ corsOpen: true, maxMegabytes: 1, mostConnections: 100 },
    answers: { stallMs: 60_000, maxUnread: 1e9 },
    connections: createOpenConnections({ all: 10, perTeam: 2, perAddress: 1 }, { watch: () => () => {} }),
    requests: { stallMs: 60_000, maxBytes: 512 * 1024 * 1024 },
    trustedProxies: [],
    ...changes,
  })
  addTo(server)
  const port = await server.listen('127.0.0.1', 0)
  stopLast = () => server.stop(1000)
  const call = async (path: string, body: unknown = {}, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  return { server, port, call, steps }
}

/** What comes back for bytes as they stand. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return readText(socket)
}

describe('the server', () => {
  it('asks for the origin, the key and the budget, in that order, then answers and counts', async () => {
    const { call, steps } = await scene()
    const { status, headers, body } = await call('/say/ho', { times: 2 }, { 'x-request-id': 'mine' })
    expect([status, body]).toEqual([200, { success: true, said: 'team: hoho' }])
    expect(headers.get('x-request-id')).toBe('mine')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(steps).toEqual(['origin', 'authenticate', 'admit work', 'count /say/:word 200', 'call 200'])
  })

  it('reads no body of a stranger', async () => {
    const { call, steps } = await scene()
    const { status, body } = await call('/say/ho', 'no JSON', { authorization: '' })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(steps).toEqual(['origin', 'authenticate', 'count /say/:word 401', 'call 401 UNAUTHORIZED'])
  })

  it('looks up no key for an origin that is refused', async () => {
    const refuse = () => {
      throw new AppError('ORIGIN_FORBIDDEN')
    }
    const { call, steps } = await scene({ checkOrigin: refuse })
    expect((await call('/say/ho')).body.code).toBe('ORIGIN_FORBIDDEN')
    expect(steps).not.toContain('authenticate')
  })

  it('adds to an error what the clients of its endpoint read', async () => {
    const told: typeof say = { ...say, errorFields: ({ code }) => ({ title: `It was ${code}.` }) }
    const { call } = await scene({ endpoints: [told] })
    const { body } = await call('/say/ho', { times: 'often' })
    expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST', title: 'It was BAD_REQUEST.' })
    expect((await call('/say/ho', 'no JSON')).body.title).toBe('It was BAD_REQUEST_INVALID_JSON.')
  })

  it('says what is wrong with a body', async () => {
    const { call } = await scene()
    expect((await call('/say/ho', 'no JSON')).body.code).toBe('BAD_REQUEST_INVALID_JSON')
    expect((await call('/say/ho', { times: 'two' })).body.code).toBe('BAD_REQUEST')
    expect((await call('/say/ho', {}, { 'content-type': 'text/plain' })).body.code).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    )
    const large = await call('/say/ho', { times: 1, fill: 'x'.repeat(2_000_000) })
    expect(large.body).toMatchObject({ code: 'REQUEST_TOO_LARGE', bound: 'MAX_REQUEST_MB', most: 1 })
  })

  it('keeps a file that was sent as long as the call, even one that fails', async () => {
    const seen: string[] = []
    const read = defineEndpoint({
      ...{ method: 'POST', path: '/read', summary: 'Reads a file', tag: 'Test', errors: [] },
      body: z.strictObject({ fails: z.boolean().default(false) }),
      takesFile: true,
      response: envelope({ said: z.string() }),
      handle({ upload, body }) {
        seen.push(upload.path)
        if (body.fails) throw new AppError('BAD_REQUEST')
        return ok({ said: readFileSync(upload.path, 'utf8') })
      },
    })
    const { port } = await scene({ endpoints: [read] })
    const upload = async (options: object) => {
      const form = new FormData()
      form.set('file', new Blob(['hello']), 'greeting.txt')
      form.set('options', JSON.stringify(options))
      const headers = { authorization: 'Bearer key' }
      const answer = await fetch(`http://127.0.0.1:${port}/read`, { method: 'POST', headers, body: form })
      return [answer.status, await answer.json()]
    }
    expect(await upload({})).toEqual([200, { success: true, said: 'hello' }])
    expect(await upload({ fails: true })).toMatchObject([400, { code: 'BAD_REQUEST' }])
    expect(seen.filter((path) => existsSync(path))).toEqual([])
  })

  it('names options without effect', async () => {
    const { call } = await scene()
    expect((await call('/say/ho', { __mark: 1 })).body.warning).toBe('No effect here: __mark.')
  })

  it('logs a bug and shows its request id alone', async () => {
    const { call, steps } = await scene()
    const { status, body } = await call('/say/bug', {}, { 'x-request-id': 'mine' })
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'INTERNAL', requestId: 'mine' })
    expect(JSON.stringify(body)).not.toContain('a bug')
    expect(steps.slice(-3)).toEqual(['a call failed', 'count /say/:word 500', 'call 500 INTERNAL'])
  })

  it('takes an answer or a code that was not promised for a bug, where answers are checked', async () => {
    const { call } = await scene({ checkResponses: true })
    expect((await call('/say/ho')).status).toBe(200)
    expect((await call('/say/misfit')).body.code).toBe('INTERNAL')
    expect((await call('/say/unlisted')).body.code).toBe('INTERNAL')
  })

  it('answers a path that it cannot decode, or does not know, without a key', async () => {
    const { port, call, steps } = await scene()
    expect((await call('/say/%zz')).body.code).toBe('ROUTE_NOT_FOUND')
    expect((await call('/nothing')).body.code).toBe('ROUTE_NOT_FOUND')
    const wrong = await fetch(`http://127.0.0.1:${port}/say/ho`)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    expect(steps).not.toContain('authenticate')
    expect((await call('/say/ho')).status).toBe(200)
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 'MALFORMED_REQUEST'],
    [
      'two lengths',
      'POST /say/ho HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      'MALFORMED',
    ],
    ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nhost: a.example\r\n\r\n', 'METHOD_NOT_ALLOWED'],
    ['a target that is no path', 'GET * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 'NOT_'],
  ])('answers %s and goes on', async (_, bytes, code) => {
    const { port, call } = await scene()
    expect(await send(port, bytes)).toContain(code)
    expect((await call('/say/ho')).status).toBe(200)
  })

  it('tells callers with access which feature is missing', async () => {
    const { call, steps } = await scene()
    expect((await call('/absent', 'no JSON')).body.code).toBe('FEATURE_NOT_AVAILABLE')
    expect(steps).toContain('admit read')
    expect((await call('/absent', {}, { authorization: '' })).body.code).toBe('UNAUTHORIZED')
  })

  it('asks for no key on plain routes', async () => {
    const { port, steps } = await scene({}, (server) =>
      server.addPlainRoutes((fastify) => fastify.get('/plain', async () => ({ plain: true }))),
    )
    const answer = await fetch(`http://127.0.0.1:${port}/plain`)
    expect(await answer.json()).toEqual({ plain: true })
    expect(answer.headers.get('x-request-id')).not.toBeNull()
    expect(steps).toEqual(['origin'])
  })

  it('answers calls that are still running when the time is over with 503', async () => {
    const finishing = Promise.withResolvers<void>()
    const wait = (path: string, handle: typeof say.handle) => ({ ...say, path, params: z.any(), handle })
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const { server, call } = await scene({
      endpoints: [
        wait('/deaf', () => new Promise<never>(() => {})),
        wait('/obedient', ({ signal }) => aborted(signal())),
        wait('/late', ({ signal }) =>
          aborted(signal()).catch(() => finishing.promise.then(() => ok({ said: '' }))),
        ),
      ],
    })
    const running = ['/deaf', '/obedient', '/late'].map((path) => call(path))
    await expect.poll(server.unanswered).toBe(3)
    const stopped = server.stop(50)
    const [deaf, obedient, late] = running
    const interrupted = { status: 503, body: { success: false, code: 'CALL_INTERRUPTED' } }
    const answer = await obedient
    expect(answer).toMatchObject(interrupted)
    expect(answer?.headers.get('retry-after')).toBe('2')
    // Work that is recorded as done when the time is over is still delivered.
    finishing.resolve()
    expect(await late).toMatchObject({ status: 200 })
    expect(await deaf).toMatchObject(interrupted)
    await stopped
    stopLast = async () => undefined
  })

  it('refuses calls while it stops, on connections that are open', async () => {
    const held = Promise.withResolvers<void>()
    const waiting = {
      ...say,
      path: '/wait',
      params: z.any(),
      handle: () => held.promise.then(() => ok({ said: '' })),
    }
    const { server, port, call } = await scene({ endpoints: [say, waiting] })
    const running = call('/wait')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = 'POST /say/ho HTTP/1.1\r\nhost: a\r\nauthorization: Bearer key\r\ncontent-length: 0\r\n'
    // The half of a request keeps the connection from being closed as an idle one.
    socket.write(head)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stopped = server.stop(2000)
    socket.write('connection: close\r\n\r\n')
    expect(await readText(socket)).toContain('STOPPING')
    held.resolve()
    expect((await running).status).toBe(200)
    await stopped
    stopLast = async () => undefined
  })
})
