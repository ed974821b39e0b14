import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handleClientError } from './server.ts'

let server: Server
beforeEach(async () => {
  server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 20 }, (_, response) =>
    response.end('answered'),
  )
  server.on('clientError', handleClientError)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await Promise.all([once(server, 'connection'), once(client, 'connect')])
  return client
}

async function received(client: Socket): Promise<string> {
  let text = ''
  for await (const chunk of client) text += chunk
  return text
}

describe('a connection whose time is over', () => {
  it('is answered where its first request came while the process was busy', async () => {
    const client = await open()
    client.write('GET / HTTP/1.1\r\nhost: harbour.example\r\nconnection: close\r\n\r\n')
    // Nothing is read meanwhile, and the check of the time comes before it is.
    for (const began = performance.now(); performance.now() - began < 300; );
    expect(await received(client)).toMatch(/^HTTP\/1.1 200 OK.*answered/s)
  })

  it('is closed without a word where nothing came on it', async () => {
    expect(await received(await open())).toBe('')
  })

  it('is refused where its request is not complete', async () => {
    const client = await open()
    client.write('GET / HTTP/1.1\r\nhost: harb')
    expect(await received(client)).toMatch(/^HTTP\/1.1 408.*REQUEST_TIMEOUT/s)
  })
})
