import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { addTableRow } from './attack.ts'

/** Calls that wait for a slot of their team occupy connections, which all teams share. */
const maxConnections = 60
let own: OwnService
let silent: Server
const abort = new AbortController()

beforeAll(async () => {
  silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  own = await startOwnService({ MAX_CONNECTIONS: String(maxConnections), TEAM_CONCURRENCY: '2' })
}, 60_000)
afterAll(async () => {
  abort.abort()
  silent.closeAllConnections()
  silent.close()
  await own.remove()
})

it('serves a third team while two teams have more calls in progress than there are connections', async () => {
  const [first, second, third] = [await own.newTeam(), await own.newTeam(), await own.newTeam()]
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const responses: Promise<number>[] = []
  for (let call = 0; call < 2 * maxConnections; call += 1) {
    const request = fetch(`${own.url}/v2/scrape`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${call % 2 === 0 ? first : second}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `${url}${call}`, timeout: 120_000, fastMode: true }),
      signal: abort.signal,
    })
    responses.push(
      request.then(
        ({ status }) => status,
        () => 0,
      ),
    )
  }
  // Calls without a free connection are rejected. All others stay in progress.
  await expect.poll(() => countRejected(responses), { timeout: 60_000 }).toBeGreaterThan(maxConnections)
  const served: number[] = []
  for (let call = 0; call < 10; call += 1) {
    const response = await callAt(own.url, 'GET', '/v2/team/credit-usage', { key: third }).catch(
      () => undefined,
    )
    served.push(response?.status ?? 0)
  }
  addTableRow({
    name: 'calls: two teams that occupy all connections with waiting calls',
    vectors: responses.length,
    hits: served.filter((status) => status !== 200).length,
  })
  expect(served).toEqual(Array(10).fill(200))
})

async function countRejected(responses: Promise<number>[]): Promise<number> {
  const settled = await Promise.all(
    responses.map((response) => Promise.race([response, Promise.resolve(-1)])),
  )
  return settled.filter((status) => status === 429).length
}
