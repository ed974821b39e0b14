import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** A bare JSON route that reads its answer from a file, in a process of its own as the service is. */
const [file = ''] = process.argv.slice(2)
const fastify = Fastify()
fastify.post('/answer', async () => JSON.parse(await readFile(file, 'utf8')))
await fastify.listen({ host: '127.0.0.1', port: 0 })
// A TCP server that listens has an address with a port.
process.send?.((fastify.server.address() as AddressInfo).port)
