import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { addTableRow, isFull } from './attack.ts'

const mega = 1024 * 1024
const responseBytes = 12 * mega
/** Text of the maximum size that a tool returns at once. */
const toolText = '草'.repeat(200_000)
/** Number of connections of each kind. */
const connections = isFull ? 50 : 6

let service: OwnService
let site: Server
let scrapeId: string
let batchId: string
let url: string
beforeAll(async () => {
  service = await startOwnService({ ANSWER_STALL_SECONDS: '2', MAX_UNREAD_MB: '48', CHECK_RESPONSES: 'off' })
  site = createServer((request, response) => {
    const body = request.url === '/short' ? toolText : Buffer.alloc(responseBytes, 'text ')
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const { body } = await service.call('POST', '/v2/scrape', { body: { url, formats: ['rawHtml'] } })
  scrapeId = body.data.metadata.scrapeId
  const batch = await service.call('POST', '/v2/batch/scrape', {
    body: { urls: [url], formats: ['rawHtml'] },
  })
  batchId = batch.body.id
  for (let status = ''; status !== 'completed'; ) {
    status = (await service.call('GET', `/v2/batch/scrape/${batchId}?limit=1`)).body.status
  }
}, 60_000)
afterAll(async () => {
  await service.remove()
  site.close()
  site.closeAllConnections()
})

const residentMegabytes = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024

/** Sends a request without reading the response. */
function sendWithoutReading(firstLine: string, body = '', base = service.url): Socket {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.pause()
  const lines = [
    ...[firstLine, 'host: x', `authorization: Bearer ${service.key}`, 'content-type: application/json'],
    'accept: application/json, text/event-stream',
  ]
  socket.write(`${[...lines, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** Returns the number of bytes that are still readable, or infinity if the connection was not closed. */
async function readRest(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (part) => {
    bytes += part.length
  })
  socket.resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 20_000))])
  return socket.closed ? bytes : Number.POSITIVE_INFINITY
}

/** Returns the remote ports of all connections to the service. */
function connectedPorts(base = service.url): number[] {
  const own = Number(new URL(base).port)
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return rows.flatMap((row) => {
    const [, local = '', remote = '', state] = row.trim().split(/\s+/)
    const portOf = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16)
    return state === '01' && portOf(local) === own ? [portOf(remote)] : []
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const upgrade = [
  ...['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'],
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
]

const kinds: Record<string, () => Socket> = {
  results: () => sendWithoutReading(`GET /v2/scrape/${scrapeId} HTTP/1.1`),
  scrapes: () =>
    sendWithoutReading('POST /v2/scrape HTTP/1.1', JSON.stringify({ url, formats: ['rawHtml'] })),
  'pages of a batch': () => sendWithoutReading(`GET /v2/batch/scrape/${batchId} HTTP/1.1`),
  'events of a batch': () => sendWithoutReading(`GET /v2/batch/scrape/${batchId}/events HTTP/1.1`),
  'messages of a watcher': () =>
    sendWithoutReading([`GET /v2/batch/scrape/${batchId} HTTP/1.1`, ...upgrade].join('\r\n')),
}

describe('unread responses', () => {
  it('are bounded in memory and cut', async () => {
    const before = residentMegabytes()
    let peak = 0
    const opened = Object.entries(kinds).map(
      ([kind, open]) => [kind, Array.from({ length: connections }, open)] as const,
    )
    await pause(500)
    const ports = new Set(opened.flatMap(([, sockets]) => sockets.map(({ localPort }) => localPort)))
    // Wait until the service has cut all of them. The clients cannot notice it, because they do not read.
    for (let attempt = 0; attempt < 500; attempt += 1) {
      await pause(500)
      peak = Math.max(peak, residentMegabytes())
      if (attempt > 4 && !connectedPorts().some((port) => ports.has(port))) break
    }
    const completeCounts: Record<string, number> = {}
    for (const [kind, sockets] of opened) {
      const read = await Promise.all(sockets.map(readRest))
      completeCounts[kind] = read.filter((bytes) => bytes >= responseBytes).length
      addTableRow({ name: `unread ${kind}`, vectors: connections, hits: completeCounts[kind] })
    }
    expect(completeCounts).toEqual(Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])))
    // Fully buffered, the responses would need this amount, and as much again as text.
    expect(peak - before).toBeLessThan((5 * connections * responseBytes) / mega)
    expect((await service.call('GET', '/health/live')).status).toBe(200)
  }, 300_000)

  it('reach a client that reads slowly', async () => {
    const socket = sendWithoutReading(`GET /v2/scrape/${scrapeId} HTTP/1.1`)
    let bytes = 0
    socket.on('data', (part) => {
      bytes += part.length
      socket.pause()
      setTimeout(() => socket.resume(), 10)
    })
    socket.resume()
    while (bytes < responseBytes && !socket.closed) await pause(50)
    socket.destroy()
    expect(bytes).toBeGreaterThanOrEqual(responseBytes)
  }, 60_000)

  it('of tools are cut when they exceed the memory bound, however long a client may stall', async () => {
    const patient = await startOwnService({
      ...{ ANSWER_STALL_SECONDS: '3600', MAX_UNREAD_MB: '16', CHECK_RESPONSES: 'off' },
    })
    const page = { url: `${url}short`, formats: ['rawHtml'] }
    const { scrapeId } = (await patient.call('POST', '/v2/scrape', { body: page })).body.data.metadata
    const input = { scrapeId, field: 'rawHtml', maxCharacters: toolText.length }
    const params = { name: 'read_result', arguments: input }
    const messages = Array.from({ length: 20 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params },
    }))
    const sockets = Array.from({ length: 4 }, () =>
      sendWithoutReading('POST /mcp HTTP/1.1', JSON.stringify(messages), patient.url),
    )
    await pause(500)
    const ports = new Set(sockets.map(({ localPort }) => localPort))
    const open = () => connectedPorts(patient.url).filter((port) => ports.has(port)).length
    expect(open()).toBe(4)
    // Each response has 12 MB.
    for (let attempt = 0; attempt < 120 && open() > 1; attempt += 1) await pause(500)
    expect(open()).toBe(1)
    for (const socket of sockets) socket.destroy()
    expect((await patient.call('GET', '/health/live')).status).toBe(200)
    await patient.remove()
  }, 120_000)
})
