import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { readAddressRule } from '../../platform/address-rule.ts'
import { createGuard } from './guard.ts'
import { createApiClient } from './post.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function serve(handle: RequestListener): Promise<URL> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/find`)
}

function clientFor(rules: string[] = ['127.0.0.1']) {
  const client = createApiClient(createGuard(rules.flatMap((rule) => readAddressRule(rule) ?? [])))
  ends.push(() => client.close())
  return client
}

const soon = () => AbortSignal.timeout(10_000)

describe('calling an API', () => {
  it('sends what it is given and says who it is', async () => {
    const url = await serve(async (request, response) => {
      const body = (await request.toArray()).join('')
      response.setHeader('x-seen', `${request.method} ${request.headers['user-agent']} ${body}`).end('{}')
    })
    const { status, headers, body } = await clientFor().call(
      { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"q":1}' },
      soon(),
    )
    expect([status, body]).toEqual([200, '{}'])
    expect(headers['x-seen']).toMatch(/^POST Winnow .*\{"q":1\}$/)
  })

  it('reads packed answers, and errors as answers', async () => {
    const url = await serve((_, response) => {
      response.writeHead(429, { 'content-encoding': 'gzip', 'retry-after': '7' }).end(gzipSync('slow down'))
    })
    const answer = await clientFor().call({ method: 'GET', url, headers: {} }, soon())
    expect(answer).toMatchObject({ status: 429, body: 'slow down', headers: { 'retry-after': '7' } })
  })

  it('follows no redirect', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    expect((await clientFor().call({ method: 'GET', url, headers: {} }, soon())).status).toBe(302)
  })

  it('refuses addresses that the guard refuses', async () => {
    const url = await serve((_, response) => response.end('secret'))
    await expect(clientFor([]).call({ method: 'GET', url, headers: {} }, soon())).rejects.toThrow()
  })

  it('stops at an answer without end', async () => {
    const url = await serve((_, response) => {
      const write = () => response.write(Buffer.alloc(1024 * 1024)) && setImmediate(write)
      response.on('drain', write)
      write()
    })
    await expect(clientFor().call({ method: 'GET', url, headers: {} }, soon())).rejects.toThrow(
      /larger|size/i,
    )
  })

  it('ends with its caller, and says what went wrong on the wire', async () => {
    const url = await serve(() => {})
    const leaving = new AbortController()
    const called = clientFor().call({ method: 'GET', url, headers: {} }, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(called).rejects.toThrow('gone')
    const closed = await serve(() => {})
    for (const end of ends.splice(0)) await end()
    await expect(clientFor().call({ method: 'GET', url: closed, headers: {} }, soon())).rejects.toThrow(
      closed.host,
    )
  })
})
