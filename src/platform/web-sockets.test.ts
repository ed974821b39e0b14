import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createWebSocketServer } from './web-sockets.ts'

async function openPair() {
  const accepted = Promise.withResolvers<WebSocket>()
  const acceptor = createWebSocketServer({ maxPayload: 1000 })
  const server = createServer().on('upgrade', (request, socket, head) =>
    acceptor.handleUpgrade(request, socket, head, accepted.resolve),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(client, 'open')
  const stop = () => {
    client.terminate()
    server.close()
  }
  return { client, accepted: await accepted.promise, stop }
}

it('replies to a ping with its data', async () => {
  const { client, stop } = await openPair()
  client.ping('data')
  expect(String((await once(client, 'pong'))[0])).toBe('data')
  stop()
})

it('limits the buffered pongs of a client that sends pings and does not read', async () => {
  const { client, accepted, stop } = await openPair()
  client.pause()
  let received = 0
  accepted.on('ping', () => {
    received += 1
  })
  const count = 60_000
  const data = Buffer.alloc(125)
  for (let index = 0; index < count; index += 1) client.ping(data)
  await expect.poll(() => received, { timeout: 20_000 }).toBe(count)
  expect(accepted.bufferedAmount).toBeLessThan(128 * 1024)
  stop()
})
