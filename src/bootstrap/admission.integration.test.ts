import diagnostics from 'node:diagnostics_channel'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compose, type Service } from './compose.ts'
import { readSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-admission-'))
const routes = new Map<string, Set<string>>()
let service: Service
beforeAll(async () => {
  // Console routes only exist if a console is installed.
  writeFileSync(join(folder, 'index.html'), '<title>Console</title>')
  const recordRoutes = (message: unknown) => {
    // Fastify publishes each new instance on this diagnostics channel.
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ url, method }) => {
      const methods = routes.get(url) ?? new Set()
      for (const verb of [method].flat()) methods.add(verb)
      routes.set(url, methods)
    })
  }
  diagnostics.subscribe('fastify.initialization', recordRoutes)
  service = await compose(
    readSettings({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', CONSOLE_PATH: folder }),
  )
  diagnostics.unsubscribe('fastify.initialization', recordRoutes)
  await service.listen()
})
afterAll(async () => {
  await service.stop(1000)
  rmSync(folder, { recursive: true, force: true })
})

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

/**
 * Announces a body, sends at most a part of it, and resolves with the status when the service has closed the
 * connection.
 */
function sendUnfinished(line: string, framing: string, partialBody: string): Promise<string> {
  const { hostname, port } = new URL(service.publicUrl())
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.on('error', () => undefined)
    const timer = setTimeout(() => socket.destroy(new Error('not closed')), 50_000)
    socket.on('close', (hadError) => {
      clearTimeout(timer)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 'no response'
      resolve(hadError && status !== 'no response' ? `${status}, not closed` : status)
    })
    const head = [
      line,
      'host: localhost',
      'content-type: application/json',
      'x-forwarded-for: 9.9.9.9',
      framing,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${partialBody}`)
  })
}

it('answers requests without a key before their body has arrived, on every route, and closes the connection', async () => {
  expect(routes.size).toBeGreaterThan(100)
  const plain = ['/mcp', '/metrics', '/docs/*', '/console/*', '/live/:id', '/v2/files/:id', '/health/ready']
  const others = ['*', '/internal/sessions/:id/:name', '/v1/scrape', '/v2/parse', '/v2/deep-research']
  expect([...routes.keys()]).toEqual(expect.arrayContaining([...plain, ...others]))
  const urls = [...routes.keys(), '/no/such/route'].map((url) =>
    url.replace(/^\*$/, '/').replaceAll(/:\w+/g, 'x').replace('*', 'x'),
  )
  const requests = urls.flatMap((url) => everyMethod.map((method) => `${method} ${url} HTTP/1.1`))
  const responses = await Promise.all(
    requests.map(async (line, index) => {
      const isChunked = index % 2 === 1
      const status = isChunked
        ? await sendUnfinished(line, 'transfer-encoding: chunked', '4\r\n{"a"\r\n')
        : await sendUnfinished(line, 'content-length: 10', '')
      return `${line} ${status}`
    }),
  )
  // Only these statuses: no request failed, waited for the rest of the body, or parsed the partial JSON.
  expect(responses.filter((response) => !/ (?:200|204|302|401|403|404|405|410|501)$/.test(response))).toEqual(
    [],
  )
}, 120_000)
