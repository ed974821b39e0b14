import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { readAddressRule } from '../../platform/address-rule.ts'
import { createGuard } from './guard.ts'
import { createApiClient } from './post.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function serve(handle: RequestListener): Promise<URL> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/find`)
}

function createClient(rules: string[] = ['127.0.0.1']) {
  const client = createApiClient(createGuard(rules.flatMap((rule) => readAddressRule(rule) ?? [])))
  cleanups.push(() => client.close())
  return client
}

const createSignal = () => AbortSignal.timeout(10_000)

describe('createApiClient', () => {
  it('sends method, headers and body, and its user agent', async () => {
    const url = await serve(async (request, response) => {
      const body = (await request.toArray()).join('')
      response.setHeader('x-seen', `${request.method} ${request.headers['user-agent']} ${body}`).end('{}')
    })
    const { status, headers, body } = await createClient().call(
      { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"q":1}' },
      createSignal(),
    )
    expect([status, body]).toEqual([200, '{}'])
    expect(headers['x-seen']).toMatch(/^POST Winnow .*\{"q":1\}$/)
  })

  it('decodes compressed responses, and returns status 429 as a response', async () => {
    const url = await serve((_, response) => {
      response.writeHead(429, { 'content-encoding': 'gzip', 'retry-after': '7' }).end(gzipSync('slow down'))
    })
    const response = await createClient().call({ method: 'GET', url, headers: {} }, createSignal())
    expect(response).toMatchObject({ status: 429, body: 'slow down', headers: { 'retry-after': '7' } })
  })

  it('follows no redirect', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    expect((await createClient().call({ method: 'GET', url, headers: {} }, createSignal())).status).toBe(302)
  })

  it('rejects addresses that the guard rejects', async () => {
    const url = await serve((_, response) => response.end('secret'))
    await expect(createClient([]).call({ method: 'GET', url, headers: {} }, createSignal())).rejects.toThrow()
  })

  it('stops reading an endless response', async () => {
    const url = await serve((_, response) => {
      const write = () => response.write(Buffer.alloc(1024 * 1024)) && setImmediate(write)
      response.on('drain', write)
      write()
    })
    await expect(createClient().call({ method: 'GET', url, headers: {} }, createSignal())).rejects.toThrow(
      /larger|size/i,
    )
  })

  it('is aborted by its caller, and names the host of a failed connection', async () => {
    const url = await serve(() => {})
    const abortController = new AbortController()
    const call = createClient().call({ method: 'GET', url, headers: {} }, abortController.signal)
    abortController.abort(new Error('gone'))
    await expect(call).rejects.toThrow('gone')
    const closed = await serve(() => {})
    for (const cleanup of cleanups.splice(0)) await cleanup()
    await expect(
      createClient().call({ method: 'GET', url: closed, headers: {} }, createSignal()),
    ).rejects.toThrow(closed.host)
  })
})
