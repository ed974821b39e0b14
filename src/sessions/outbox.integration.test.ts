import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createOutbox, type Outbox } from './outbox.ts'

let server: WebSocketServer
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
})
afterAll(() => server.close())

const limits = { megabytes: 16 }
const megabyte = 'x'.repeat(1024 * 1024)

/** Connects a client and creates the outbox of its server socket. */
async function connect(): Promise<{ client: WebSocket; served: WebSocket; box: Outbox }> {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [serverSocket] = (await once(server, 'connection')) as [WebSocket]
  await once(client, 'open')
  return { client, served: serverSocket, box: createOutbox(serverSocket, limits) }
}

it('outbox() sends 100 MB in order to a client that reads', async () => {
  const { client, box } = await connect()
  const received: number[] = []
  client.on('message', (text) => received.push(Number(String(text).slice(0, 3))))
  for (let index = 0; index < 100; index += 1) {
    box.send(`${String(index).padStart(3, '0')}${megabyte}`)
    if (index % 10 === 9) await box.drained()
  }
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(100)
  expect(received).toEqual([...received].sort((left, right) => left - right))
  client.terminate()
})

it('outbox() disconnects a client with too much unread data and sends the reason', async () => {
  const { client, served, box } = await connect()
  client.pause()
  for (let index = 0; index < 60; index += 1) {
    box.send(megabyte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(served.readyState).not.toBe(served.OPEN)
  // Only the data that was already passed to the connection.
  expect(box.unread()).toBeLessThan(3 * 1024 * 1024)
  client.resume()
  const [code, reason] = await once(client, 'close')
  expect([code, String(reason)]).toEqual([1008, 'Too much data was left unread: CLIENT_UNREAD_MB is 16.'])
})

it('outbox() buffers at most 256 MB for all clients, and disconnects those with the most', async () => {
  const all: Awaited<ReturnType<typeof connect>>[] = []
  for (let index = 0; index < 40; index += 1) all.push(await connect())
  const [reader, ...others] = all
  for (const { client } of others) client.pause()
  let received = 0
  reader?.client.on('message', () => {
    received += 1
  })
  let maxTotal = 0
  for (let index = 0; index < 14; index += 1) {
    for (const { box } of all) box.send(megabyte)
    await reader?.box.drained()
    const total = all.reduce((sum, { box }) => sum + box.unread(), 0)
    maxTotal = Math.max(maxTotal, total)
  }
  // Disconnected clients keep the data that was already passed to the connection for a moment.
  expect(maxTotal).toBeLessThan(350 * 1024 * 1024)
  expect(others.some(({ served }) => served.readyState !== served.OPEN)).toBe(true)
  await expect.poll(() => received, { timeout: 20_000 }).toBe(14)
  for (const { client } of all) client.terminate()
})
