import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { z } from 'zod'
import { createAuthenticator } from '../src/accounts/authenticate.ts'
import { keyFile } from '../src/accounts/key-file.ts'
import { createKeyWatch } from '../src/accounts/key-watch.ts'
import { createRateLimiter } from '../src/accounts/limits.ts'
import type { App } from '../src/api/app.ts'
import { createOpenConnections } from '../src/api/connections/open-connections.ts'
import { defineEndpoint, envelope, ok } from '../src/api/endpoint.ts'
import { createServer } from '../src/api/server.ts'
import { ensureFirstKey } from '../src/bootstrap/commands/first-key.ts'
import { createMetrics } from '../src/jobs/telemetry/metrics.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createLog } from '../src/platform/log.ts'
import { sqliteDatabase } from '../src/store/database/sqlite.ts'
import { migrate } from '../src/store/migrate.ts'
import type { Tables } from '../src/store/schema.ts'

/** Arguments: `bare FOLDER` or `winnow FOLDER`, for the route without or with key, rate limit, validation and log. */
const [kind, folder = ''] = process.argv.slice(2)
const responseData = {
  id: 'a',
  items: Array.from({ length: 20 }, (_, index) => ({ index, text: 'some text of an answer' })),
}

async function listenBare(): Promise<number> {
  const fastify = Fastify()
  fastify.post('/route', async () => ({ success: true, ...responseData }))
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  // The cast is safe: a listening TCP server has an address with a port.
  return (fastify.server.address() as AddressInfo).port
}

async function listenWinnow(): Promise<number> {
  const store = sqliteDatabase<Tables>(`${folder}/route.sqlite`)
  await migrate(store)
  await ensureFirstKey({ store, file: keyFile(folder), configuredKey: 'fc-bench-key', credits: undefined })
  const deps = { store, clock: systemClock, concurrency: 8 }
  const route = defineEndpoint({
    method: 'POST',
    path: '/route',
    summary: 'The route that is measured',
    tag: 'Bench',
    body: z.strictObject({
      url: z.string().max(8192),
      formats: z.array(z.enum(['markdown', 'html'])).default(['markdown']),
      timeout: z.int().min(1000).max(300_000).default(60_000),
      onlyMainContent: z.boolean().default(true),
    }),
    response: envelope({ id: z.string(), items: z.array(z.object({ index: z.int(), text: z.string() })) }),
    errors: [],
    handle: () => ok(responseData),
  })
  const log = createLog({ level: 'info', format: 'json' })
  const server = createServer({
    // The cast is safe: the route does not use the app.
    app: {} as App,
    unsupportedRoutes: [],
    endpoints: [route],
    authenticate: createAuthenticator(deps),
    checkRateLimit: createRateLimiter({ ...deps, ratePerMinute: 1e9 }),
    log,
    connections: createOpenConnections(
      { all: 1000, perTeam: 200, perAddress: 50 },
      createKeyWatch({ ...deps, log }),
    ),
    metrics: createMetrics(
      {
        ...{ heldJobs: () => 0, runningJobs: () => 0, openSessions: () => 0, browserPages: () => 0 },
        ...{ openConnections: () => 0, eventListeners: () => 0, watchedJobs: () => 0, watchReads: () => 0 },
        ...{ idleQueueSeconds: () => 0, stalledQueues: () => [] },
      },
      async () => ({ now: 0, queued: [], running: [], deliveries: { count: 0, oldest: null } }),
    ),
    checkOrigin: () => {},
    maxMegabytes: 10,
    allowsAllOrigins: true,
    publicUrl: () => '',
    checkResponses: false,
    maxConnections: 4000,
    responses: { stallMs: 60_000, maxUnread: 1e9 },
    requests: { stallMs: 60_000, maxBytes: 512 * 1024 * 1024 },
    trustedProxies: [],
  })
  return server.listen('127.0.0.1', 0)
}

const port = await (kind === 'bare' ? listenBare() : listenWinnow())
process.stderr.write(`port ${port}\n`)
process.on('message', () => process.send?.(process.cpuUsage()))
