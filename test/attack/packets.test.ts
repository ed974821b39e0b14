import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { attackClass } from './attack.ts'
import { malformedRequest, malformedUpgrade } from './malformed.ts'
import { randomSource } from './random.ts'
import { sendRaw, statusesIn } from './raw-socket.ts'

let service: OwnService
beforeAll(async () => {
  service = await startOwnService()
})
afterAll(() => service.remove())

const isAlive = () => service.process.exitCode === null && service.process.signalCode === null

/** Returns the harm: the process ended, or a response has status 500. */
function findHarm(received: string): string | undefined {
  if (!isAlive()) return 'the process has ended'
  const serverError = statusesIn(received).find((status) => status === 500)
  return serverError === undefined ? undefined : `answered ${serverError}: ${received.slice(0, 300)}`
}

const request = (line: string, ...headers: string[]) =>
  `${[line, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const upgradeTo = (path: string) =>
  request(
    `GET ${path} HTTP/1.1`,
    ...['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  )

describe('one packet', () => {
  it.each([
    ['a target that cannot be decoded', 'GET /%zz HTTP/1.1', 404],
    ['a segment that is too long', `GET /v2/crawl/${'x'.repeat(501)} HTTP/1.1`, 404],
  ])('with %s returns ROUTE_NOT_FOUND, like any other unknown path', async (_, line, status) => {
    const received = await sendRaw(
      service.url,
      { parts: [request(line, 'connection: close')], leave: 'wait' },
      5000,
    )
    expect(statusesIn(received)).toEqual([status])
    expect(received).toContain('"success":false')
    expect(received).toContain('"code":"ROUTE_NOT_FOUND"')
  })

  it.each(['//', '/nowhere', '/cdp/', '///[', '/v2/scrape'])(
    'with an upgrade of %s is rejected, and the connection is closed',
    async (path) => {
      const received = await sendRaw(service.url, { parts: [upgradeTo(path)], leave: 'wait' }, 5000)
      expect(statusesIn(received)).toEqual([404])
      expect(received).toContain('"code":"ROUTE_NOT_FOUND"')
    },
  )

  it.each([
    ['bytes that are not HTTP', '\u0000\u0001\u0002\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a header that is too long',
      request('GET / HTTP/1.1', `x: ${'y'.repeat(70_000)}`),
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('with %s returns an error in the standard format', async (_, text, status, code) => {
    const received = await sendRaw(service.url, { parts: [text], leave: 'wait' }, 5000)
    expect(statusesIn(received)).toEqual([status])
    expect(received).toContain(`"code":"${code}"`)
  })

  it('does not stop the service if the connection is reset after the rejection', async () => {
    const rejectedUpgrades = Array.from({ length: 50 }, () =>
      sendRaw(service.url, { parts: [upgradeTo('/nowhere')], leave: 'reset' }),
    )
    await Promise.all(rejectedUpgrades)
    expect(isAlive()).toBe(true)
    expect((await service.call('GET', '/health/live')).status).toBe(200)
  })
})

describe('malformed packets', () => {
  const seeds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

  attackClass({
    name: 'malformed requests',
    vectors: seeds(1, 16_000),
    short: 600,
    concurrency: 40,
    run: async (seed) => findHarm(await sendRaw(service.url, malformedRequest(randomSource(seed)))),
  })

  attackClass({
    name: 'malformed upgrades',
    vectors: seeds(100_000, 8000),
    short: 300,
    concurrency: 40,
    run: async (seed) => findHarm(await sendRaw(service.url, malformedUpgrade(randomSource(seed)))),
  })

  it('leave the service running, without a logged error', async () => {
    expect((await service.call('GET', '/health/live')).status).toBe(200)
    const response = await service.call('POST', '/v2/scrape', { body: { url: 'not a url' } })
    expect(response.body.code).toBe('BAD_REQUEST')
    expect(service.output()).not.toContain('"level":"error"')
  })
})
