import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { documentation } from '../../features/documentation/documentation.ts'
import { toAppError } from '../../platform/errors.ts'
import { docsSearch } from '../../search/docs/search-docs.ts'
import { createClientAddress } from '../connections/client-address.ts'
import { addDocsRoutes } from './docs-routes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const proxy = { form: 'network', address: '127.0.0.1', prefix: 32, family: 'ipv4' } as const

let fastify: FastifyInstance
afterEach(() => fastify.close())

/** Starts the routes behind a trusted proxy. Returns a function that searches as a client. */
function createSearch() {
  fastify = Fastify()
  fastify.decorate('interrupted', new AbortController().signal)
  fastify.setErrorHandler((thrown, _, reply) => reply.code(toAppError(thrown).status).send())
  addDocsRoutes(fastify, {
    docs: documentation(root, docsSearch({ root })),
    ...{ publicUrl: () => 'http://localhost', hasConsole: false },
    clientAddress: createClientAddress([proxy]),
  })
  return async (client: string, question: string) => {
    const headers = { 'x-forwarded-for': client }
    const url = `/docs/find?q=${encodeURIComponent(question)}`
    return (await fastify.inject({ url, headers, remoteAddress: '127.0.0.1' })).statusCode
  }
}

describe('GET /docs/find', () => {
  it('serves the clients of a trusted proxy round-robin', async () => {
    const find = createSearch()
    const ended: string[] = []
    const search = async (client: string, question: string) => {
      expect(await find(client, question)).toBe(200)
      ended.push(client)
    }
    const flood = Array.from({ length: 20 }, (_, index) => search('203.0.113.1', `webhook ${index}`))
    await Promise.all([...flood, search('203.0.113.2', 'cache')])
    expect(ended.indexOf('203.0.113.2')).toBeLessThan(3)
  })

  it('returns 429 to a client with 200 pending searches, and to no other client', async () => {
    const find = createSearch()
    const flood = Array.from({ length: 250 }, () => find('203.0.113.1', 'webhook'))
    const other = find('203.0.113.2', 'cache')
    const statuses = await Promise.all(flood)
    expect(statuses.filter((status) => status === 200)).toHaveLength(200)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    expect(await other).toBe(200)
    expect(await find('203.0.113.1', 'webhook')).toBe(200)
  })
})
