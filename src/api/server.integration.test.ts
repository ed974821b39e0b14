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

const sayEndpoint = defineEndpoint({
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

// The handlers of these tests only use the name.
const team = { name: 'team' } as Team

let stopLast: () => Promise<void> = async () => undefined
afterEach(() => stopLast())

/** Starts a server that records authentication, metrics and log messages in `steps`. */
async function startServer(changes: Partial<ServerDeps> = {}, addTo: (server: Server) => void = () => {}) {
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
    ...{ app: {} as App, endpoints: [sayEndpoint], log, publicUrl: () => '', checkResponses: false },
    unsupportedRoutes: [
      { methods: ['POST'], path: '/absent', createError: () => new AppError('FEATURE_NOT_AVAILABLE') },
    ],
    authenticate: async (header) => {
      steps.push('authenticate')
      if (header !== 'Bearer key') throw new AppError('UNAUTHORIZED')
      return team
    },
    checkRateLimit: (_, rateLimitClass) => void steps.push(`admit ${rateLimitClass}`),
    metrics: {
      turnBlocked: () => {},
      call: ({ route, status }) => void steps.push(`count ${route} ${status}`),
    } as ServerDeps['metrics'],
    checkOrigin: () => void steps.push('origin'),
    ...{ allowsAllOrigins: true, maxMegabytes: 1, maxConnections: 100 },
    responses: { stallMs: 60_000, maxUnread: 1e9 },
    connections: createOpenConnections({ all: 10, perTeam: 2, perAddress: 1 }, { watch: () => () => {} }),
    requests: { stallMs: 60_000, maxBytes: 512 * 1024 * 1024 },
    trustedProxies: [],
    ...changes,
  })
  addTo(server)
  const port = await server.listen('127.0.0.1', 0)
  stopLast = () => server.stop(1000)
  const call = async (path: string, body: unknown = {}, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { server, port, call, steps }
}

/** Sends raw bytes and returns the reply. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return readText(socket)
}

describe('the server', () => {
  it('checks origin, key and budget in that order, then responds and counts', async () => {
    const { call, steps } = await startServer()
    const { status, headers, body } = await call('/say/ho', { times: 2 }, { 'x-request-id': 'mine' })
    expect([status, body]).toEqual([200, { success: true, said: 'team: hoho' }])
    expect(headers.get('x-request-id')).toBe('mine')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(steps).toEqual(['origin', 'authenticate', 'admit work', 'count /say/:word 200', 'call 200'])
  })

  it('does not read the body of an unauthenticated request', async () => {
    const { call, steps } = await startServer()
    const { status, body } = await call('/say/ho', 'no JSON', { authorization: '' })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(steps).toEqual(['origin', 'authenticate', 'count /say/:word 401', 'call 401 UNAUTHORIZED'])
  })

  it('does not authenticate if the origin is forbidden', async () => {
    const rejectOrigin = () => {
      throw new AppError('ORIGIN_FORBIDDEN')
    }
    const { call, steps } = await startServer({ checkOrigin: rejectOrigin })
    expect((await call('/say/ho')).body.code).toBe('ORIGIN_FORBIDDEN')
    expect(steps).not.toContain('authenticate')
  })

  it('adds the error fields of the endpoint to an error response', async () => {
    const withErrorFields: typeof sayEndpoint = {
      ...sayEndpoint,
      errorFields: ({ code }) => ({ title: `It was ${code}.` }),
    }
    const { call } = await startServer({ endpoints: [withErrorFields] })
    const { body } = await call('/say/ho', { times: 'often' })
    expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST', title: 'It was BAD_REQUEST.' })
    expect((await call('/say/ho', 'no JSON')).body.title).toBe('It was BAD_REQUEST_INVALID_JSON.')
  })

  it('returns a specific code for each kind of invalid body', async () => {
    const { call } = await startServer()
    expect((await call('/say/ho', 'no JSON')).body.code).toBe('BAD_REQUEST_INVALID_JSON')
    expect((await call('/say/ho', { times: 'two' })).body.code).toBe('BAD_REQUEST')
    expect((await call('/say/ho', {}, { 'content-type': 'text/plain' })).body.code).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    )
    const tooLarge = await call('/say/ho', { times: 1, fill: 'x'.repeat(2_000_000) })
    expect(tooLarge.body).toMatchObject({ code: 'REQUEST_TOO_LARGE', bound: 'MAX_REQUEST_MB', most: 1 })
  })

  it('names the field of a form that is too large', async () => {
    const readEndpoint = defineEndpoint({
      ...{ method: 'POST', path: '/read', summary: 'Reads a file', tag: 'Test', errors: [] },
      body: z.strictObject({}),
      takesFile: true,
      response: envelope({}),
      handle: () => ok({}),
    })
    const { port } = await startServer({ endpoints: [readEndpoint] })
    const form = new FormData()
    form.set('options', ' '.repeat(256 * 1024 + 1))
    const headers = { authorization: 'Bearer key' }
    const response = await fetch(`http://127.0.0.1:${port}/read`, { method: 'POST', headers, body: form })
    const error = 'The field "options" is larger than 256 KB.'
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { code: 'REQUEST_TOO_LARGE', error },
    ])
  })

  it('keeps an uploaded file until the request ends, also if it fails', async () => {
    const paths: string[] = []
    const readEndpoint = defineEndpoint({
      ...{ method: 'POST', path: '/read', summary: 'Reads a file', tag: 'Test', errors: [] },
      body: z.strictObject({ fails: z.boolean().default(false) }),
      takesFile: true,
      response: envelope({ said: z.string() }),
      handle({ upload, body }) {
        paths.push(upload.path)
        if (body.fails) throw new AppError('BAD_REQUEST')
        return ok({ said: readFileSync(upload.path, 'utf8') })
      },
    })
    const { port } = await startServer({ endpoints: [readEndpoint] })
    const upload = async (options: object) => {
      const form = new FormData()
      form.set('file', new Blob(['hello']), 'greeting.txt')
      form.set('options', JSON.stringify(options))
      const headers = { authorization: 'Bearer key' }
      const response = await fetch(`http://127.0.0.1:${port}/read`, { method: 'POST', headers, body: form })
      return [response.status, await response.json()]
    }
    expect(await upload({})).toEqual([200, { success: true, said: 'hello' }])
    expect(await upload({ fails: true })).toMatchObject([400, { code: 'BAD_REQUEST' }])
    expect(paths.filter((path) => existsSync(path))).toEqual([])
  })

  it('lists ignored options in a warning', async () => {
    const { call } = await startServer()
    expect((await call('/say/ho', { __mark: 1 })).body.warning).toBe('No effect here: __mark.')
  })

  it('logs an unexpected error and returns only its request id', async () => {
    const { call, steps } = await startServer()
    const { status, body } = await call('/say/bug', {}, { 'x-request-id': 'mine' })
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'INTERNAL', requestId: 'mine' })
    expect(JSON.stringify(body)).not.toContain('a bug')
    expect(steps.slice(-3)).toEqual(['a call failed', 'count /say/:word 500', 'call 500 INTERNAL'])
  })

  it('returns INTERNAL for an unlisted response or code if responses are checked', async () => {
    const { call } = await startServer({ checkResponses: true })
    expect((await call('/say/ho')).status).toBe(200)
    expect((await call('/say/misfit')).body.code).toBe('INTERNAL')
    expect((await call('/say/unlisted')).body.code).toBe('INTERNAL')
  })

  it('returns 404 or 405 without a key for malformed or unknown routes', async () => {
    const { port, call, steps } = await startServer()
    expect((await call('/say/%zz')).body.code).toBe('ROUTE_NOT_FOUND')
    expect((await call('/nothing')).body.code).toBe('ROUTE_NOT_FOUND')
    const wrongMethod = await fetch(`http://127.0.0.1:${port}/say/ho`)
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST'])
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
  ])('answers %s and keeps serving', async (_, bytes, code) => {
    const { port, call } = await startServer()
    expect(await send(port, bytes)).toContain(code)
    expect((await call('/say/ho')).status).toBe(200)
  })

  it('returns FEATURE_NOT_AVAILABLE to authorized callers only', async () => {
    const { call, steps } = await startServer()
    expect((await call('/absent', 'no JSON')).body.code).toBe('FEATURE_NOT_AVAILABLE')
    expect(steps).toContain('admit read')
    expect((await call('/absent', {}, { authorization: '' })).body.code).toBe('UNAUTHORIZED')
  })

  it('requires no key on plain routes', async () => {
    const { port, steps } = await startServer({}, (server) =>
      server.addPlainRoutes((fastify) => fastify.get('/plain', async () => ({ plain: true }))),
    )
    const response = await fetch(`http://127.0.0.1:${port}/plain`)
    expect(await response.json()).toEqual({ plain: true })
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(steps).toEqual(['origin'])
  })

  it('answers unfinished requests with 503 CALL_INTERRUPTED at the stop deadline', async () => {
    const finishing = Promise.withResolvers<void>()
    const endpointAt = (path: string, handle: typeof sayEndpoint.handle) => ({
      ...sayEndpoint,
      path,
      params: z.any(),
      handle,
    })
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const { server, call } = await startServer({
      endpoints: [
        endpointAt('/deaf', () => new Promise<never>(() => {})),
        endpointAt('/obedient', ({ signal }) => aborted(signal())),
        endpointAt('/late', ({ signal }) =>
          aborted(signal()).catch(() => finishing.promise.then(() => ok({ said: '' }))),
        ),
      ],
    })
    const running = ['/deaf', '/obedient', '/late'].map((path) => call(path))
    await expect.poll(server.unanswered).toBe(3)
    const stopped = server.stop(50)
    const [ignoring, aborting, late] = running
    const interrupted = { status: 503, body: { success: false, code: 'CALL_INTERRUPTED' } }
    const response = await aborting
    expect(response).toMatchObject(interrupted)
    expect(response?.headers.get('retry-after')).toBe('2')
    // A response whose work is recorded as done at the deadline is still delivered.
    finishing.resolve()
    expect(await late).toMatchObject({ status: 200 })
    expect(await ignoring).toMatchObject(interrupted)
    await stopped
    stopLast = async () => undefined
  })

  it('returns STOPPING on open connections during a stop', async () => {
    const released = Promise.withResolvers<void>()
    const waiting = {
      ...sayEndpoint,
      path: '/wait',
      params: z.any(),
      handle: () => released.promise.then(() => ok({ said: '' })),
    }
    const { server, port, call } = await startServer({ endpoints: [sayEndpoint, waiting] })
    const running = call('/wait')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = 'POST /say/ho HTTP/1.1\r\nhost: a\r\nauthorization: Bearer key\r\ncontent-length: 0\r\n'
    // An incomplete request keeps the connection from being closed as idle.
    socket.write(head)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stopped = server.stop(2000)
    socket.write('connection: close\r\n\r\n')
    expect(await readText(socket)).toContain('STOPPING')
    released.resolve()
    expect((await running).status).toBe(200)
    await stopped
    stopLast = async () => undefined
  })
})
