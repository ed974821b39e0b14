import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Answer, call, type Json, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { temporaryFolder } from '../service.ts'
import { addTableRow, attackClass } from './attack.ts'

/** Webhook receivers and sites that fail at the network level. */
const servers: Record<string, Server> = {
  resets: createServer((socket) => void socket.resetAndDestroy()),
  ends: createServer((socket) => void socket.end()),
  'resets after a request': createServer(
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  ),
  'answers nonsense': createServer(
    (socket) => void socket.once('data', () => socket.end('SSH-2.0-x\r\n\r\n')),
  ),
  'answers half a header': createServer(
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200')),
  ),
  'answers two lengths': createServer((socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nhello'),
    ),
  ),
  'has endless headers': createServer((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`)),
  ),
}
const urls: Record<string, string> = {}

beforeAll(async () => {
  for (const [name, server] of Object.entries(servers)) {
    server.on('connection', (socket) => socket.on('error', () => {}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  }
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  urls['is closed'] = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/hook`
  closed.close()
  urls['speaks no TLS'] = (urls['answers nonsense'] ?? '').replace('http:', 'https:')
  urls['has no name'] = 'http://nobody.invalid/hook'
  urls['is private'] = 'http://10.0.0.1/hook'
  urls['has a forbidden port'] = 'http://127.0.0.1:25/hook'
})
afterAll(() => {
  for (const server of Object.values(servers)) server.close()
})

const failingTargets = [
  ...Object.keys(servers),
  ...['is closed', 'speaks no TLS', 'has no name', 'is private', 'has a forbidden port'],
]

/** Returns the first text in the content that reveals internals of the machine or of a library. */
function findInternals(content: unknown): string | undefined {
  const text = JSON.stringify(content)
  return /\d+\.\d+\.\d+\.\d+|::1|\bE[A-Z]{4,}\b|UND_ERR|HPE_|getaddrinfo|socket hang up|other side|undici|node:|node_modules|\/(?:tmp|usr|home|root|var|etc)\//.exec(
    text,
  )?.[0]
}

attackClass({
  name: 'leaks: what the log of a delivery tells',
  vectors: failingTargets,
  concurrency: 6,
  run: async (receiver) => {
    const { status, body } = await call('POST', '/v2/webhooks/test', { body: { webhook: urls[receiver] } })
    if (status === 403) {
      // The host comes from the caller.
      const internals = findInternals({ ...body, host: undefined })
      return internals === undefined ? undefined : `tells "${internals}": ${JSON.stringify(body)}`
    }
    const [attempt] = await until('an attempt', 20_000, async () => {
      const listed = await call('GET', '/v2/webhooks/deliveries?limit=100')
      const delivery = listed.body.data.find((delivery: Json) => delivery.webhookId === body.webhookId)
      return delivery?.attempts.length > 0 ? delivery.attempts : undefined
    })
    if (!attempt.error) return `says nothing: ${JSON.stringify(attempt)}`
    const internals = findInternals(attempt.error)
    return internals === undefined ? undefined : `tells "${internals}": ${attempt.error}`
  },
})

attackClass({
  name: 'leaks: what an error of a scrape tells',
  vectors: failingTargets.flatMap((site) => [{}, { waitFor: 1 }].map((options) => ({ site, options }))),
  short: 10,
  concurrency: 4,
  run: async ({ site, options }) => {
    const { status, body } = await call('POST', '/v2/scrape', {
      body: { url: urls[site], maxAge: 0, ...options },
    })
    if (status === 200) return undefined
    // The system error code does not reveal a location, and the host comes from the caller.
    const { host: _, cause: __, details: ___, ...shownError } = body
    const internals =
      findInternals(shownError) ??
      /\d+\.\d+\.\d+\.\d+|connect E/.exec(JSON.stringify(body.details ?? body.cause ?? ''))?.[0]
    return internals === undefined ? undefined : `tells "${internals}": ${JSON.stringify(body)}`
  },
})

it('withstands leaks: folders of the machine in capabilities and readiness', async () => {
  const folder = temporaryFolder()
  // The program prints its version, but does nothing else.
  const broken = join(folder.path, 'chromium')
  writeFileSync(broken, '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 150.0.0.0"\n', { mode: 0o755 })
  const own = await startOwnService({ CHROMIUM_PATH: broken })
  const responses: [string, Answer][] = [
    ['capabilities', await own.call('GET', '/v2/capabilities')],
    [
      'readiness',
      await own.call('GET', '/health/ready', { key: null, headers: { 'x-forwarded-for': '9.9.9.9' } }),
    ],
  ]
  const local = await own.call('GET', '/health/ready', { key: null })
  await own.remove()
  folder.remove()
  const hits = responses.filter(([, { body }]) =>
    /\/\w+\/|chromium\b/.test(JSON.stringify({ ...body, features: featureNotes(body) })),
  )
  addTableRow({ name: 'leaks: folders of the machine', vectors: responses.length, hits: hits.length })
  expect(hits).toEqual([])
  expect(responses[1]?.[1]).toMatchObject({
    status: 503,
    body: { parts: { browser: 'failed, see the log' } },
  })
  expect(local.body.parts.browser).not.toBe('failed, see the log')
})

const featureNotes = (body: Json) => body.features?.map(({ note }: Json) => note)

const documented = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}
const knownMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'SEARCH',
  'LINK',
]
const oddMethods = ['FOO', 'get', 'Post', 'CONNECT', 'GETS', 'G T', '{}', 'PRI', 'QUERY', '\u00e9']

/** Every path of the API, other routes, and paths without a route. */
const paths = [
  ...Object.entries(documented.paths).map(([path, methods]) => ({
    path: path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000'),
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  })),
  ...[
    '/',
    '/docs',
    '/docs/reference',
    '/docs/guides/scrape',
    '/llms.txt',
    '/docs/swagger-ui.css',
    '/docs/swagger-ui-bundle.js',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/v2/openapi.json',
  ].map((path) => ({
    ...{ path, methods: ['GET'] },
  })),
  ...['/v2', '/nowhere', '/v2/scrape/a/b/c/d', '/..%2f..', '/v2//scrape'].map((path) => ({
    path,
    methods: [] as string[],
  })),
]

attackClass({
  name: 'leaks: methods that no route has',
  vectors: paths.flatMap(({ path, methods }) =>
    [...knownMethods, ...oddMethods]
      .filter((method) => !methods.includes(method) && !(method === 'HEAD' && methods.includes('GET')))
      .map((method) => ({ method, path, methods })),
  ),
  short: 110,
  concurrency: 8,
  run: async ({ method, path, methods }) => {
    const response = await rawCall(`${method} ${path} HTTP/1.1`)
    const isOdd = oddMethods.includes(method)
    // Some of these paths also match another route, with the last segment as an id.
    const matchesIdRoute = /\/(?:active|ongoing|params-preview|profiles(?:\/[^/]+)?)$/.test(path)
    const expected = isOdd || matchesIdRoute ? [400, 404, 405] : methods.length > 0 ? [405] : [404]
    if (!expected.includes(response.status))
      return `answered ${response.status} ${response.text.slice(0, 200)}`
    if (method === 'HEAD') return undefined
    const body = JSON.parse(response.text || 'null')
    if (body?.success !== false || typeof body.code !== 'string')
      return `answered ${response.text.slice(0, 200)}`
    if (response.status !== 405 || isOdd || matchesIdRoute) return undefined
    const missing = methods.filter((method) => !response.allow?.includes(method))
    return missing.length > 0 ? `allows ${response.allow}, not ${missing}` : undefined
  },
})

/** Sends a raw request line. Returns the status, the `Allow` header and the body. */
async function rawCall(line: string): Promise<{ status: number; allow: string | undefined; text: string }> {
  const { urls: services, key } = inject('deployment')
  const { hostname, port } = new URL(services[0] ?? '')
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `${line}\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  )
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part) => (text += part))
  await once(socket, 'close')
  const [header = '', ...rest] = text.split('\r\n\r\n')
  return {
    status: Number(header.split(' ')[1]),
    allow: /^allow: (.*)$/im.exec(header)?.[1],
    text: rest.join('\r\n\r\n'),
  }
}
