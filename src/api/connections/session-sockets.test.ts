import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { forwardUpgrade } from './session-sockets.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it.each([
  '/cdp/1?token=2',
  'http://other.example:1/cdp/1?token=2',
  '//other.example/cdp/1?token=2',
  '/a/../cdp/1?token=2',
])('forwards an upgrade with the target %s to the owner process of the session', async (target) => {
  const receivedUrls: unknown[] = []
  const ownerServer = createServer().on('upgrade', ({ url }, socket) => {
    receivedUrls.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  })
  const url = `http://127.0.0.1:${await listen(ownerServer)}`
  const entryServer = createServer().on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    forwardUpgrade(request, { socket, head }, { url, holder: 'home' })
  })
  const client = connect(await listen(entryServer), '127.0.0.1')
  client.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`)
  await once(client.resume(), 'close')
  expect(receivedUrls).toEqual(['/cdp/1?token=2'])
})
