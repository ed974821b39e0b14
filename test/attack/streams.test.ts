import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { runCommand } from '../service.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'
import { type OpenStream, type StreamTarget, streamKinds } from './open-streams.ts'
import { randomSource } from './random.ts'

const perTeam = 12
const watchersOfOneJob = isFull ? 1000 : 150
let site: Server
let own: OwnService
let wide: OwnService
let target: StreamTarget
let modest: { key: string; target: StreamTarget }

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url?.startsWith('/silent')) return
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(request.url === '/large' ? Buffer.alloc(12 * 1024 * 1024, 'text ') : 'Some words.')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  own = await startOwnService({
    ...{ MAX_SOCKETS: '40', MAX_SOCKETS_PER_TEAM: `${perTeam}`, MAX_UPGRADES_PER_ADDRESS: '1000' },
    ...{ RATE_PER_MINUTE: '1000000', TEAM_CONCURRENCY: '64', CHECK_RESPONSES: 'off' },
  })
  target = await targetOf(own, own.key)
  const key = await own.newTeam()
  modest = { key, target: await targetOf(own, key) }
  const bound = `${watchersOfOneJob + 10}`
  wide = await startOwnService({
    ...{ MAX_SOCKETS: `${2 * watchersOfOneJob}`, MAX_SOCKETS_PER_TEAM: bound, MAX_CONNECTIONS: '4000' },
    RATE_PER_MINUTE: '1000000',
  })
}, 120_000)

const opened: OpenStream[] = []
async function closeAll(): Promise<void> {
  for (const stream of opened.splice(0)) stream.close()
  await until('the end of all connections', 20_000, async () =>
    (await metric(own, 'winnow_connections_open')) === 0 ? true : undefined,
  )
}
afterEach(closeAll)
afterAll(async () => {
  await own.remove()
  await wide.remove()
  site.closeAllConnections()
  site.close()
})

const siteUrl = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

async function targetOf({ url }: OwnService, key: string): Promise<StreamTarget> {
  const start = async (path: string) => {
    const body = { urls: [`${siteUrl()}${path}`], formats: ['rawHtml'], timeout: 300_000, maxAge: 0 }
    return (await callAt(url, 'POST', '/v2/batch/scrape', { key, body })).body.id as string
  }
  const [running, large] = await Promise.all([start('/silent'), start('/large')])
  await until('the end of the large batch', 60_000, async () => {
    const { body } = await callAt(url, 'GET', `/v2/batch/scrape/${large}?limit=1`, { key })
    return body.status === 'completed' ? true : undefined
  })
  return { url, running, large }
}

async function metric({ url }: OwnService, name: string): Promise<number> {
  const { body } = await callAt(url, 'GET', '/metrics', { key: null })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1] ?? Number.NaN)
}

/** Opens connections concurrently. All of them are closed after the test. */
async function openMany(kinds: string[], streamTarget: StreamTarget, key: string): Promise<OpenStream[]> {
  const streams = await Promise.all(
    kinds.map((kind) => streamKinds[kind]?.(streamTarget, key) ?? Promise.reject(new Error(kind))),
  )
  opened.push(...streams)
  return streams
}

const tally = (streams: OpenStream[]) =>
  Object.fromEntries(
    [...Map.groupBy(streams, ({ status, code }) => `${status} ${code ?? ''}`.trim())].map(
      ([outcome, { length }]) => [outcome, length],
    ),
  )

const kindNames = Object.keys(streamKinds)

describe('connections that stay open', () => {
  attackClass({
    name: 'fairness: connections that stay open all taken by one team',
    vectors: [...kindNames, 'of every kind'],
    run: async (kind) => {
      const count = 2 * perTeam
      const kinds = Array.from({ length: count }, (_, index) =>
        kind === 'of every kind' ? (kindNames[index % kindNames.length] ?? '') : kind,
      )
      const greedy = tally(await openMany(kinds, target, own.key))
      const other = tally(await openMany(kindNames, modest.target, modest.key))
      await closeAll()
      const expected = { '200': perTeam, '429 TOO_MANY_SOCKETS': count - perTeam }
      if (JSON.stringify(greedy) !== JSON.stringify(expected)) return JSON.stringify(greedy)
      return other['200'] === kindNames.length ? undefined : `the other team: ${JSON.stringify(other)}`
    },
  })

  it('of teams that use up the total leave capacity for another team', async () => {
    const events = Array.from({ length: perTeam }, () => 'team events')
    for (let team = 0; team < 4; team += 1) await openMany(events, target, await own.newTeam())
    const [first] = await openMany(['team events'], target, await own.newTeam())
    expect(first).toMatchObject({ status: 200 })
    // The service still responds to ordinary calls.
    expect((await callAt(own.url, 'GET', '/v2/team/me', { key: modest.key })).status).toBe(200)
    addTableRow({ name: 'fairness: total of open connections', vectors: 4 * perTeam, hits: 0 })
  })

  it('of a revoked key end, and connections of other keys of the team stay open', async () => {
    const teamId = (await own.call('GET', '/v2/operator/keys')).body.data[0].team.id as string
    const createdKey = (await own.call('POST', '/v2/operator/keys', { body: { teamId } })).body
    const kinds = kindNames.filter((kind) => kind !== 'downloads')
    const closing = await openMany(kinds, target, createdKey.key)
    // The client of a download does not read, so only the service notices the end.
    await openMany(['downloads'], target, createdKey.key)
    const remaining = await openMany(kinds, target, own.key)
    expect([tally(closing), tally(remaining)]).toEqual([{ '200': kinds.length }, { '200': kinds.length }])
    // Revoke the key with the command, in a separate process.
    await runCommand(['key', 'revoke', '--id', createdKey.data.id], own.environment)
    await expect.poll(() => closing.filter((stream) => !stream.hasEnded()).length).toBe(0)
    await expect.poll(() => metric(own, 'winnow_connections_open')).toBe(remaining.length)
    expect(remaining.filter((stream) => stream.hasEnded())).toEqual([])
    // A connection that the key cache still accepts is closed soon. Any later connection is rejected.
    const reconnect = async () =>
      (await openMany(['team events'], target, createdKey.key).catch(() => []))[0]?.status ?? 'cut'
    await expect.poll(reconnect).toBe(401)
    addTableRow({ name: 'connections of a revoked key', vectors: closing.length, hits: 0 })
  })

  it("to a session's browser end with the key that opened the session", async () => {
    const { team } = (await own.call('GET', '/v2/operator/keys')).body.data[0]
    const createdKey = (await own.call('POST', '/v2/operator/keys', { body: { teamId: team.id } })).body
    const session = (await own.call('POST', '/v2/browser', { key: createdKey.key, body: {} })).body
    const urls = [session.cdpUrl, session.liveViewUrl].map((url: string) => url.replace(/^http/, 'ws'))
    const sockets = await Promise.all(
      urls.map(async (url) => {
        const socket = new WebSocket(url)
        await once(socket, 'open')
        return socket
      }),
    )
    await own.call('DELETE', `/v2/operator/keys/${createdKey.data.id}`)
    const states = () => sockets.map(({ readyState }) => readyState)
    await expect.poll(states).toEqual([WebSocket.CLOSED, WebSocket.CLOSED])
    for (const url of urls) {
      const rejected = new WebSocket(url)
      rejected.on('error', () => undefined)
      const [, response] = await once(rejected, 'unexpected-response')
      expect(response.statusCode).toBe(401)
    }
    expect((await callAt(session.liveViewUrl, 'GET', '', { key: null })).status).toBe(401)
    // The session belongs to the team, so another key can end it.
    expect((await own.call('DELETE', `/v2/browser/${session.id}`)).status).toBe(200)
    addTableRow({ name: 'connections to a session of a revoked key', vectors: 2, hits: 0 })
  })

  it('are not opened by a HEAD request', async () => {
    const paths = [`/v2/batch/scrape/${target.running}/events`, '/v2/team/events']
    for (const path of [...paths, `/v2/batch/scrape/${target.large}/download`]) {
      const headers = { authorization: `Bearer ${own.key}` }
      const { status } = await fetch(`${own.url}${path}`, { method: 'HEAD', headers })
      expect([path, status]).toEqual([path, 405])
    }
    for (const name of ['winnow_event_listeners', 'winnow_watched_jobs']) {
      expect(`${name} ${await metric(own, name)}`).toBe(`${name} 0`)
    }
    addTableRow({ name: 'streams opened by HEAD', vectors: 3, hits: 0 })
  })

  it('leave no listeners if clients disconnect at random times', { timeout: 120_000 }, async () => {
    const random = randomSource(7)
    const count = isFull ? 600 : 150
    const races = Array.from({ length: count }, async (_, index) => {
      await sleep(random.below(1500))
      const kind = ['team events', 'job events', 'watchers'][index % 3] ?? ''
      const abort = new AbortController()
      const stream = streamKinds[kind]?.(target, own.key, abort.signal)
      await Promise.all([stream?.catch(() => undefined), sleep(random.below(30)).then(() => abort.abort())])
    })
    await Promise.all(races)
    for (const name of ['winnow_connections_open', 'winnow_event_listeners', 'winnow_watched_jobs']) {
      await expect.poll(async () => `${name} ${await metric(own, name)}`).toBe(`${name} 0`)
    }
    addTableRow({ name: 'clients that leave during the join', vectors: count, hits: 0 })
  })
})

it('streams of one job share one poll, however many there are', { timeout: 240_000 }, async () => {
  const body = { urls: [`${siteUrl()}/silent`], timeout: 300_000, maxAge: 0 }
  const { id: running } = (await wide.call('POST', '/v2/batch/scrape', { body })).body as Json
  const streamTarget = { url: wide.url, running, large: '' }
  for (let open = 0; open < watchersOfOneJob; open += 50) {
    await openMany(Array(50).fill('job events'), streamTarget, wide.key)
  }
  expect(tally(opened)).toEqual({ '200': watchersOfOneJob })
  const began = performance.now()
  const before = await metric(wide, 'winnow_watch_reads_total')
  await expect
    .poll(() => metric(wide, 'winnow_watch_reads_total'), { timeout: 60_000, interval: 500 })
    .toBeGreaterThan(before + 3)
  const reads = (await metric(wide, 'winnow_watch_reads_total')) - before
  // The pause between two reads is at least a second, so this holds on any machine.
  expect(reads).toBeLessThanOrEqual((performance.now() - began) / 1000 + 2)
  addTableRow({ name: 'streams of one job', vectors: watchersOfOneJob, hits: 0 })
})
