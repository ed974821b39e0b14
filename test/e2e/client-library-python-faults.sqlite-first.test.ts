import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { librarySources, programOf, runPython, stepsIn, wellDone } from '../python-library.ts'
import { testPython } from '../servers/moto.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['Winnow', 'AsyncWinnow'] as const
const without = testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''

let site: Site
let gate: Server
const outcomes: Record<string, Record<string, Json>> = {}
/** Calls that came to the gate, by fault and kind of client. */
const calls: Record<string, { method: string; idempotencyKey: string | undefined }[]> = {}
beforeAll(async () => {
  site = await startSite()
  gate = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo
  const given = { key: teamKey(), site: site.url, gate: `http://127.0.0.1:${port}`, library: librarySources }
  if (testPython === undefined) return
  const run = async (kind: string) => {
    const told = JSON.stringify({ ...given, kind })
    return stepsIn(await runPython(testPython ?? '', ['-I', '-B', programOf('library_faults.py'), told]))
  }
  const ran = await Promise.all(kinds.map(run))
  for (const [index, kind] of kinds.entries()) outcomes[kind] = ran[index] ?? {}
}, 120_000)
afterAll(async () => {
  gate.closeAllConnections()
  gate.close()
  await site.stop()
})

type Fault = (exchange: { request: IncomingMessage; response: ServerResponse; isFirst: boolean }) => unknown

const refuse = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const cut = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"success":tr', () => response.destroy())
  return true
}
const loseAnswer = async (request: IncomingMessage, response: ServerResponse) => {
  await forward(request)
  return response.destroy()
}

/** In front of the service, by the first part of the path. What a fault does not answer goes to the service. */
const faults: Record<string, Fault> = {
  limited: ({ response, isFirst }) =>
    isFirst && refuse(response, 429, { success: false, code: 'RATE_LIMITED', error: 'Wait.', retryAfter: 1 }),
  'limited-for-long': ({ response }) =>
    response
      .setHeader('retry-after', '3600')
      .writeHead(429)
      .end('{"success":false,"code":"RATE_LIMITED","error":"Wait."}'),
  stopping: ({ response, isFirst }) =>
    isFirst && refuse(response, 503, { success: false, code: 'STOPPING', error: 'Stopping.', retryAfter: 0 }),
  lost: ({ request, response, isFirst }) => isFirst && loseAnswer(request, response),
  'lost-effect': ({ response }) => response.destroy(),
  'lost-read': ({ response, isFirst }) => isFirst && response.destroy(),
  cut: ({ response, isFirst }) => isFirst && cut(response),
  'cut-paid': ({ response }) => cut(response),
  html: ({ response }) => response.writeHead(502).end('<h1>\u001b[31mBad\u001b]0;title\u0007 gateway</h1>'),
  moved: ({ response }) => response.writeHead(307, { location: '/stolen/v2/scrape' }).end(),
  nested: ({ response }) => response.end('['.repeat(200_000)),
  empty: ({ response }) => response.end('{}'),
  silent: () => true,
  stolen: ({ response }) => response.end('{}'),
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  const answered = await fetch(inject('deployment').urls[0] + (request.url?.replace(/^\/[^/]+/, '') ?? ''), {
    method: request.method ?? 'GET',
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 ? { body } : {}),
  })
  return { status: answered.status, text: await answered.text() }
}

describe.skipIf(without !== '').each(kinds)(`our client for Python, %s, on a bad line${without}`, (kind) => {
  const told = (step: string): Json => wellDone(outcomes[kind], step)
  const seen = (fault: string) => calls[`${fault}-${kind}`] ?? []

  it('comes back when the service says, unless that is long', () => {
    expect(told('limited')).toBe(`${site.url}/pages/1`)
    expect(seen('limited')).toHaveLength(2)
    const refused = { kind: 'RateLimitError', code: 'RATE_LIMITED', retry_after: 3600, attempts: 1 }
    expect(told('limited_for_long')).toMatchObject(refused)
  })

  it('repeats what was refused before any work, whatever it is', () => {
    expect(told('stopping')).toMatchObject({ code: 'OPERATOR_KEY_REQUIRED', attempts: 2 })
    expect(seen('stopping')).toHaveLength(2)
  })

  it('starts a job once, though the answer to the start was lost', () => {
    expect(told('lost_start')).toEqual({ status: 'completed', pages: 1 })
    const starts = seen('lost').filter(({ method }) => method === 'POST')
    expect(starts).toHaveLength(2)
    expect(starts[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/)
    expect(starts[1]?.idempotencyKey).toBe(starts[0]?.idempotencyKey)
  })

  it('does not repeat what has effects or a price when the connection breaks, and repeats reading', () => {
    expect(told('lost_effect')).toMatchObject({ kind: 'ConnectionFailedError', status: 0, attempts: 1 })
    expect(seen('lost-effect')).toHaveLength(1)
    expect(told('lost_read')).toMatchObject({ team: { id: expect.any(String) } })
    const { read, paid } = told('cut_short')
    expect(read).toMatchObject({ team: { id: expect.any(String) } })
    expect(paid).toMatchObject({ kind: 'ConnectionFailedError', code: 'CONNECTION_FAILED', attempts: 1 })
    expect(seen('cut-paid')).toHaveLength(1)
  })

  it('tells when something else answers, in words that a terminal may show, and follows nobody', () => {
    const { page, moved } = told('not_the_service')
    expect(page).toMatchObject({ kind: 'UnexpectedAnswerError', status: 502, attempts: 2 })
    expect(page.message).toContain('Bad')
    expect([...page.message].every((letter: string) => letter >= ' ')).toBe(true)
    expect(moved).toMatchObject({ kind: 'UnexpectedAnswerError', status: 307, attempts: 1 })
    expect(calls.stolen).toBeUndefined()
    for (const other of [told('nested_answer'), ...told('empty_answer')])
      expect(other).toMatchObject({ kind: 'UnexpectedAnswerError', status: 200 })
    expect(told('empty_answer')).toHaveLength(3)
  })

  it('tells when nothing answers', () => {
    expect(told('silent')).toMatchObject({ kind: 'CallTimeoutError', code: 'CALL_TIMEOUT', attempts: 1 })
    const message = expect.stringContaining('not reached')
    expect(told('not_there')).toMatchObject({ kind: 'ConnectionFailedError', message, attempts: 2 })
  })
})
