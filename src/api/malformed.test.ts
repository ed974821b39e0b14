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

async function readAll(client: Socket): Promise<string> {
  let text = ''
  for await (const chunk of client) text += chunk
  return text
}

describe('handleClientError()', () => {
  it('answers a request that arrived while the process was busy past the headers timeout', async () => {
    const client = await open()
    client.write('GET / HTTP/1.1\r\nhost: harbour.example\r\nconnection: close\r\n\r\n')
    // Busy loop: nothing is read meanwhile, and the timeout check runs before the read.
    for (const began = performance.now(); performance.now() - began < 300; );
    expect(await readAll(client)).toMatch(/^HTTP\/1.1 200 OK.*answered/s)
  })

  it('closes an idle connection without a response', async () => {
    expect(await readAll(await open())).toBe('')
  })

  it('answers 408 REQUEST_TIMEOUT to an incomplete request', async () => {
    const client = await open()
    client.write('GET / HTTP/1.1\r\nhost: harb')
    expect(await readAll(client)).toMatch(/^HTTP\/1.1 408.*REQUEST_TIMEOUT/s)
  })
})
