import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** Serves a bare JSON route that reads its response from a file, in a separate process like the service. */
const [file = ''] = process.argv.slice(2)
const fastify = Fastify()
fastify.post('/answer', async () => JSON.parse(await readFile(file, 'utf8')))
await fastify.listen({ host: '127.0.0.1', port: 0 })
// The cast is safe: a listening TCP server has an address with a port.
process.send?.((fastify.server.address() as AddressInfo).port)
