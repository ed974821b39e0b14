import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { attackClass } from './attack.ts'
import { malformedRequest, malformedUpgrade } from './malformed.ts'
import { randomSource } from './random.ts'
import { statusesIn, strikeRaw } from './raw-socket.ts'

let service: OwnService
beforeAll(async () => {
  service = await startOwnService()
})
afterAll(() => service.remove())

const isAlive = () => service.process.exitCode === null && service.process.signalCode === null

/** A hit is the end of the process, or an answer that blames the service. */
function harmOf(heard: string): string | undefined {
  if (!isAlive()) return 'the process has ended'
  const wrong = statusesIn(heard).find((status) => status === 500)
  return wrong === undefined ? undefined : `answered ${wrong}: ${heard.slice(0, 300)}`
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
  ])('with %s is answered like any other wrong path', async (_, line, status) => {
    const heard = await strikeRaw(
      service.url,
      { parts: [request(line, 'connection: close')], leave: 'wait' },
      5000,
    )
    expect(statusesIn(heard)).toEqual([status])
    expect(heard).toContain('"success":false')
    expect(heard).toContain('"code":"ROUTE_NOT_FOUND"')
  })

  it.each(['//', '/nowhere', '/cdp/', '///[', '/v2/scrape'])(
    'that wants to upgrade %s is refused and closed at once',
    async (path) => {
      const heard = await strikeRaw(service.url, { parts: [upgradeTo(path)], leave: 'wait' }, 5000)
      expect(statusesIn(heard)).toEqual([404])
      expect(heard).toContain('"code":"ROUTE_NOT_FOUND"')
    },
  )

  it.each([
    ['no HTTP', '\u0000\u0001\u0002\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a header without an end',
      request('GET / HTTP/1.1', `x: ${'y'.repeat(70_000)}`),
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('that is %s is answered in the shape of every error', async (_, text, status, code) => {
    const heard = await strikeRaw(service.url, { parts: [text], leave: 'wait' }, 5000)
    expect(statusesIn(heard)).toEqual([status])
    expect(heard).toContain(`"code":"${code}"`)
  })

  it('that is reset after its refusal leaves the service alive', async () => {
    const strokes = Array.from({ length: 50 }, () =>
      strikeRaw(service.url, { parts: [upgradeTo('/nowhere')], leave: 'reset' }),
    )
    await Promise.all(strokes)
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
    atOnce: 40,
    strike: async (seed) => harmOf(await strikeRaw(service.url, malformedRequest(randomSource(seed)))),
  })

  attackClass({
    name: 'malformed upgrades',
    vectors: seeds(100_000, 8000),
    short: 300,
    atOnce: 40,
    strike: async (seed) => harmOf(await strikeRaw(service.url, malformedUpgrade(randomSource(seed)))),
  })

  it('leave the service as it was', async () => {
    expect((await service.call('GET', '/health/live')).status).toBe(200)
    const answer = await service.call('POST', '/v2/scrape', { body: { url: 'not a url' } })
    expect(answer.body.code).toBe('BAD_REQUEST')
    expect(service.output()).not.toContain('"level":"error"')
  })
})
