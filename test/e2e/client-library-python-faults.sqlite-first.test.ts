import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { librarySources, programOf, resultOf, runPython, stepsIn } from '../python-library.ts'
import { testPython } from '../servers/moto.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['Winnow', 'AsyncWinnow'] as const
const skipNote =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''

let site: Site
let proxy: Server
const outcomes: Record<string, Record<string, Json>> = {}
/** Calls that the proxy received, by fault and kind of client. */
const calls: Record<string, { method: string; idempotencyKey: string | undefined }[]> = {}
beforeAll(async () => {
  site = await startSite()
  proxy = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const input = { key: teamKey(), site: site.url, gate: `http://127.0.0.1:${port}`, library: librarySources }
  if (testPython === undefined) return
  const run = async (kind: string) => {
    const argument = JSON.stringify({ ...input, kind })
    return stepsIn(await runPython(testPython ?? '', ['-I', '-B', programOf('library_faults.py'), argument]))
  }
  const results = await Promise.all(kinds.map(run))
  for (const [index, kind] of kinds.entries()) outcomes[kind] = results[index] ?? {}
}, 120_000)
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await site.stop()
})

type Fault = (exchange: { request: IncomingMessage; response: ServerResponse; isFirst: boolean }) => unknown

const sendError = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const sendTruncated = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"success":tr', () => response.destroy())
  return true
}
const loseResponse = async (request: IncomingMessage, response: ServerResponse) => {
  await forward(request)
  return response.destroy()
}

/** Faults by the first part of the path. The proxy forwards a request if its fault does not respond. */
const faults: Record<string, Fault> = {
  limited: ({ response, isFirst }) =>
    isFirst &&
    sendError(response, 429, { success: false, code: 'RATE_LIMITED', error: 'Wait.', retryAfter: 1 }),
  'limited-for-long': ({ response }) =>
    response
      .setHeader('retry-after', '3600')
      .writeHead(429)
      .end('{"success":false,"code":"RATE_LIMITED","error":"Wait."}'),
  stopping: ({ response, isFirst }) =>
    isFirst &&
    sendError(response, 503, { success: false, code: 'STOPPING', error: 'Stopping.', retryAfter: 0 }),
  lost: ({ request, response, isFirst }) => isFirst && loseResponse(request, response),
  'lost-effect': ({ response }) => response.destroy(),
  'lost-read': ({ response, isFirst }) => isFirst && response.destroy(),
  cut: ({ response, isFirst }) => isFirst && sendTruncated(response),
  'cut-paid': ({ response }) => sendTruncated(response),
  html: ({ response }) => response.writeHead(502).end('<h1>\u001b[31mBad\u001b]0;title\u0007 gateway</h1>'),
  moved: ({ response }) => response.writeHead(307, { location: '/stolen/v2/scrape' }).end(),
  nested: ({ response }) => response.end('['.repeat(200_000)),
  empty: ({ response }) => response.end('{}'),
  silent: () => true,
  stolen: ({ response }) => response.end('{}'),
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name = ''] = request.url?.split('/') ?? []
  const fault = faults[name.replace(/-(?:Async)?Winnow$/, '')]
  calls[name] ??= []
  const { method = '', headers } = request
  calls[name].push({ method, idempotencyKey: headers['x-idempotency-key']?.toString() })
  if (await fault?.({ request, response, isFirst: calls[name].length === 1 })) return
  const { status, text } = await forward(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function forward(request: IncomingMessage): Promise<{ status: number; text: string }> {
  const body = await buffer(request)
  const headers = Object.entries(request.headers).filter(([name]) =>
    ['authorization', 'content-type', 'x-idempotency-key', 'x-request-id'].includes(name),
  )
  const response = await fetch(inject('deployment').urls[0] + (request.url?.replace(/^\/[^/]+/, '') ?? ''), {
    method: request.method ?? 'GET',
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 ? { body } : {}),
  })
  return { status: response.status, text: await response.text() }
}

describe.skipIf(skipNote !== '').each(kinds)(
  `our Python client, %s, with connection faults${skipNote}`,
  (kind) => {
    const outcome = (step: string): Json => resultOf(outcomes[kind], step)
    const callsOf = (fault: string) => calls[`${fault}-${kind}`] ?? []

    it('retries after the delay in the response, unless the delay is long', () => {
      expect(outcome('limited')).toBe(`${site.url}/pages/1`)
      expect(callsOf('limited')).toHaveLength(2)
      const expected = { kind: 'RateLimitError', code: 'RATE_LIMITED', retry_after: 3600, attempts: 1 }
      expect(outcome('limited_for_long')).toMatchObject(expected)
    })

    it('retries any request that was rejected before processing', () => {
      expect(outcome('stopping')).toMatchObject({ code: 'OPERATOR_KEY_REQUIRED', attempts: 2 })
      expect(callsOf('stopping')).toHaveLength(2)
    })

    it('starts a job once, even if the response is lost', () => {
      expect(outcome('lost_start')).toEqual({ status: 'completed', pages: 1 })
      const starts = callsOf('lost').filter(({ method }) => method === 'POST')
      expect(starts).toHaveLength(2)
      expect(starts[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/)
      expect(starts[1]?.idempotencyKey).toBe(starts[0]?.idempotencyKey)
    })

    it('retries reads, but not calls with effects or a price, after a broken connection', () => {
      expect(outcome('lost_effect')).toMatchObject({ kind: 'ConnectionFailedError', status: 0, attempts: 1 })
      expect(callsOf('lost-effect')).toHaveLength(1)
      expect(outcome('lost_read')).toMatchObject({ team: { id: expect.any(String) } })
      const { read, paid } = outcome('cut_short')
      expect(read).toMatchObject({ team: { id: expect.any(String) } })
      expect(paid).toMatchObject({ kind: 'ConnectionFailedError', code: 'CONNECTION_FAILED', attempts: 1 })
      expect(callsOf('cut-paid')).toHaveLength(1)
    })

    it('reports an unexpected response without control characters, and follows no redirect', () => {
      const { page, moved } = outcome('not_the_service')
      expect(page).toMatchObject({ kind: 'UnexpectedAnswerError', status: 502, attempts: 2 })
      expect(page.message).toContain('Bad')
      expect([...page.message].every((letter: string) => letter >= ' ')).toBe(true)
      expect(moved).toMatchObject({ kind: 'UnexpectedAnswerError', status: 307, attempts: 1 })
      expect(calls.stolen).toBeUndefined()
      for (const other of [outcome('nested_answer'), ...outcome('empty_answer')])
        expect(other).toMatchObject({ kind: 'UnexpectedAnswerError', status: 200 })
      expect(outcome('empty_answer')).toHaveLength(3)
    })

    it('reports a timeout and a refused connection', () => {
      expect(outcome('silent')).toMatchObject({ kind: 'CallTimeoutError', code: 'CALL_TIMEOUT', attempts: 1 })
      const message = expect.stringContaining('not reached')
      expect(outcome('not_there')).toMatchObject({ kind: 'ConnectionFailedError', message, attempts: 2 })
    })
  },
)
