import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'
import {
  formStart as part,
  readAll,
  requestHead,
  sendTo,
  type TargetName,
  targetNames,
} from './unfinished-requests.ts'

const mega = 1024 * 1024
/** Value of MAX_UNFINISHED_MB. A team may use half of it. */
const budgetMegabytes = 128
const maxConnections = isFull ? 1000 : 60
const openRequests = isFull ? 4000 : 300
const largeRequests = isFull ? 300 : 20
const uploads = isFull ? 40 : 4

/** Folder for temporary files that only the service of this file uses. */
const temporary = mkdtempSync(join(tmpdir(), 'unfinished-'))
const environment = {
  ...{ MAX_UNFINISHED_MB: String(budgetMegabytes), TMPDIR: temporary, RATE_PER_MINUTE: '100000' },
}
let service: OwnService
let otherKey: string
beforeAll(async () => {
  service = await startOwnService({ ...environment, MAX_CONNECTIONS: String(maxConnections) })
  otherKey = await service.newTeam()
})
afterAll(async () => {
  await service.remove()
  rmSync(temporary, { recursive: true, force: true })
})

const open = (bytes: string | Buffer) => sendTo(service.url, bytes)

/** Sends a request on a new connection, as a new client does. */
function requestHealth(url = service.url): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${url}/health/live`, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })
}

/** Resolves when all written data has left this process, or the connection is closed. */
function waitUntilSent(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('close', resolve)
    socket.write('', resolve)
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const residentMegabytes = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024

/** Returns the unfinished requests and bytes that the service counts. */
async function readCounts(target = service): Promise<{ bytes: number; bodies: number }> {
  const { body } = await target.call('GET', '/metrics')
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(String(body))?.[1])
  return { bytes: read('winnow_unfinished_request_bytes'), bodies: read('winnow_unfinished_requests') }
}

const waitForZeroCounts = (target = service) =>
  until('no unfinished request', 60_000, async () => {
    const { bytes, bodies } = await readCounts(target)
    return bytes === 0 && bodies === 0 ? true : undefined
  })

/** Returns the total size of uploads in the folder for temporary files. */
function bytesOnDisk(): number {
  const files = readdirSync(temporary, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.includes('winnow-upload-'))
    .reduce((sum, name) => sum + (statSync(join(temporary, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

describe('connections that wait for a body', () => {
  it.each(targetNames)(
    'of %s do not block other callers',
    async (name) => {
      const sockets = Array.from({ length: openRequests }, () =>
        open(requestHead(name, service.key, 'content-length: 10')),
      )
      await pause(300)
      const statuses = await Promise.all(Array.from({ length: 30 }, () => requestHealth()))
      for (const socket of sockets) socket.destroy()
      addTableRow({
        ...{ name: `unfinished bodies of ${name}`, vectors: openRequests },
        hits: statuses.filter((status) => status !== 200).length,
      })
      expect(statuses).toEqual(Array(30).fill(200))
      await waitForZeroCounts()
    },
    120_000,
  )
})

describe('bodies that never end', () => {
  it.each(targetNames.filter((name) => !name.includes('parse')))(
    'of %s are bounded in memory',
    async (name) => {
      const before = residentMegabytes()
      const bytes = Buffer.concat([
        Buffer.from(requestHead(name, service.key, `content-length: ${10 * mega}`)),
        Buffer.alloc(9.9 * mega, 32),
      ])
      const sockets: Socket[] = []
      let peak = 0
      // Keep fewer sockets than the connection limit, because this test checks the limit of bytes.
      for (let count = 0; count < largeRequests; count += 10) {
        const opened = Array.from({ length: 10 }, () => open(bytes))
        sockets.push(...opened)
        await Promise.race([Promise.all(opened.map(waitUntilSent)), pause(5000)])
        peak = Math.max(peak, residentMegabytes())
        if (sockets.length > maxConnections - 20) for (const socket of sockets.splice(0, 10)) socket.destroy()
      }
      await pause(500)
      peak = Math.max(peak, residentMegabytes())
      const { bytes: counted } = await readCounts()
      expect(await requestHealth()).toBe(200)
      for (const socket of sockets) socket.destroy()
      addTableRow({ name: `unfinished megabytes of ${name}`, vectors: largeRequests, hits: 0 })
      // The team's share, and as much again for memory that is freed later.
      expect(peak - before).toBeLessThan(2 * budgetMegabytes)
      expect(counted).toBeLessThanOrEqual((budgetMegabytes / 2) * mega)
      await waitForZeroCounts()
    },
    120_000,
  )

  it('leave capacity for another team', async () => {
    const bytes = Buffer.concat([
      Buffer.from(requestHead('POST /v2/scrape', service.key, `content-length: ${10 * mega}`)),
      Buffer.alloc(9.9 * mega, 32),
    ])
    const sockets = Array.from({ length: 10 }, () => open(bytes))
    const replies = await Promise.all(sockets.slice(0, 10).map((socket) => firstReply(socket)))
    const rejected = replies.filter((text) => text !== '')
    expect(rejected.length).toBeGreaterThan(0)
    for (const text of rejected) {
      expect(text).toContain('HTTP/1.1 503')
      expect(text).toContain('"code":"TOO_MANY_UNFINISHED_REQUESTS"')
      expect(text).toContain('"bound":"MAX_UNFINISHED_MB"')
      expect(text).toMatch(/retry-after: \d/)
    }
    const url = `https://a.example/${'x'.repeat(9000)}`
    const response = await service.call('POST', '/v2/scrape', { body: { url }, key: otherKey })
    expect(response.body).toMatchObject({ code: 'BAD_REQUEST', bound: 'MAX_URL_LENGTH' })
    for (const socket of sockets) socket.destroy()
    await waitForZeroCounts()
  })

  /** Resolves to the response that arrives within 1.5 seconds, or to an empty string. */
  function firstReply(socket: Socket): Promise<string> {
    return new Promise((resolve) => {
      setTimeout(() => resolve(''), 1500)
      socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
    })
  }

  it('of forms use less than the budget on disk, and nothing after they are aborted', async () => {
    const file = Buffer.alloc(49 * mega, 'a')
    const chunk = `${(part.length + file.length).toString(16)}\r\n${part}`
    const bytes = Buffer.concat([
      Buffer.from(requestHead('POST /v2/parse', service.key, 'transfer-encoding: chunked') + chunk),
      file,
      Buffer.from('\r\n'),
    ])
    const sockets = Array.from({ length: uploads }, () => open(bytes))
    let peakBytes = 0
    for (let round = 0; round < 20; round += 1) {
      await pause(200)
      peakBytes = Math.max(peakBytes, bytesOnDisk())
    }
    addTableRow({ name: 'unfinished forms on disk', vectors: uploads, hits: 0 })
    expect(peakBytes).toBeGreaterThan(0)
    expect(peakBytes).toBeLessThanOrEqual((budgetMegabytes / 2) * mega)
    expect(await requestHealth()).toBe(200)
    for (const socket of sockets) socket.destroy()
    await waitForZeroCounts()
    expect(bytesOnDisk()).toBe(0)
  }, 120_000)
})

attackClass({
  name: 'unfinished: clients that leave at any moment',
  vectors: targetNames.flatMap((name) =>
    [0, 1, 100, 70_000, 900_000].flatMap((cut) =>
      (['reset', 'end', 'destroy'] as const).flatMap((how) =>
        [0, 2, 30].map((afterMs) => ({ name, cut, how, afterMs })),
      ),
    ),
  ),
  short: 45,
  concurrency: 8,
  run: async ({ name, cut, how, afterMs }) => {
    const body = Buffer.from(part + ' '.repeat(1_000_000)).subarray(0, cut)
    const socket = open(
      Buffer.concat([Buffer.from(requestHead(name, service.key, 'content-length: 2000000')), body]),
    )
    await pause(afterMs)
    if (how === 'reset') socket.resetAndDestroy()
    else if (how === 'end') socket.end()
    else socket.destroy()
    return undefined
  },
})

it('counts nothing after all of them have disconnected', async () => {
  await waitForZeroCounts()
  expect(bytesOnDisk()).toBe(0)
  expect((await service.call('GET', '/health/live')).status).toBe(200)
})

describe('a slow body', () => {
  let patient: OwnService
  beforeAll(async () => {
    patient = await startOwnService({ ...environment, REQUEST_STALL_SECONDS: '2' })
  })
  afterAll(() => patient.remove())
  const openSlow = (bytes: string) => sendTo(patient.url, bytes)

  it.concurrent.each(['POST /v2/scrape', 'POST /mcp', 'POST /v2/parse'] as const)(
    'that stops is rejected: %s',
    async (name) => {
      const begin = name.includes('parse') ? `${part}some text` : '{"url":'
      const received = await readAll(openSlow(requestHead(name, patient.key, 'content-length: 1000') + begin))
      expect(received).toContain('HTTP/1.1 408')
      expect(received).toContain('"code":"REQUEST_TIMEOUT"')
      expect(received).toContain('"bound":"REQUEST_STALL_SECONDS"')
    },
  )

  it.concurrent('that keeps moving is received to its end, however long it takes', async () => {
    const piece = `<p>${'word '.repeat(4000)}</p>`
    const pieces = 25
    const end = '\r\n--x--\r\n'
    const length = part.length + pieces * piece.length + end.length
    const socket = openSlow(requestHead('POST /v2/parse', patient.key, `content-length: ${length}`) + part)
    const received = readAll(socket)
    for (let count = 0; count < pieces; count += 1) {
      await pause(200)
      socket.write(piece)
    }
    socket.write(end)
    socket.once('data', () => setTimeout(() => socket.destroy(), 500))
    expect(await received).toContain('HTTP/1.1 200')
  }, 60_000)

  it.concurrent('is not requested before the key was checked', async () => {
    const framing = 'content-length: 1000\r\nexpect: 100-continue'
    const send = (name: TargetName) => readAll(openSlow(requestHead(name, patient.key, framing)))
    const rejected = await send('POST /v2/scrape without a key')
    expect(rejected).toMatch(/^HTTP\/1\.1 401/)
    const accepted = await send('POST /v2/scrape')
    expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408/)
  })

  it('leaves nothing on disk', async () => {
    await waitForZeroCounts(patient)
    expect(bytesOnDisk()).toBe(0)
  })
})
