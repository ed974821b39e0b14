import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../test/servers/postgres.ts'
import { startS3 } from '../test/servers/s3.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import type { Site } from '../test/site/site.ts'
import { parentOf, processorMs as processorMsOf, processorMsOfFamily } from './processor.ts'

const key = 'fc-bench-key'

export interface FleetCrawl {
  pagesPerSecond: number
  /** Number of deadlocks, counted by the database. */
  deadlocks: number
  /** Processor time of the crawl in milliseconds: of each service in the order of `roles`, and of the database. */
  processor: { services: number[]; postgres: number }
  commits: number
  walBytes: number
  storeBytes: number
}

/** Runs a crawl of a ring of pages by several processes, with a separate PostgreSQL and bucket. */
export async function crawlByFleet(
  site: Site,
  roles: string[],
  pages: number,
  changes: Record<string, string> = {},
): Promise<FleetCrawl> {
  const folder = temporaryFolder()
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
  const databaseUrl = await postgres.createDatabase()
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: key, DATABASE_URL: databaseUrl },
    ...{ ALLOW_PRIVATE_NETWORK: '127.0.0.1', RATE_PER_MINUTE: '1000000' },
    ...{ CHECK_RESPONSES: 'off', TEAM_CONCURRENCY: '32', LOG_LEVEL: 'warn' },
    ...{ BLOBS_URL: s3.blobsUrl, AWS_ACCESS_KEY_ID: s3.accessKeyId },
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    ...changes,
  }
  const services = await Promise.all(roles.map((role) => startService({ ...environment, ROLE: role })))
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${services[0]?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return response.json()
  }
  const readProcessorMs = () => services.map((service) => processorMsOf(service.process.pid ?? 0))
  const [before, databaseBefore] = [readProcessorMs(), await readDatabase(databaseUrl)]
  const startedAt = performance.now()
  const { id } = await call('POST', '/v2/crawl', {
    ...{ url: `${site.url}/ring/1?of=${pages}`, limit: pages, sitemap: 'skip', crawlEntireDomain: true },
    scrapeOptions: { maxAge: 0 },
  })
  let state = { status: 'scraping', completed: 0 }
  while (state.status === 'scraping') {
    await sleep(500)
    state = await call('GET', `/v2/crawl/${id}?limit=1`)
  }
  const pagesPerSecond = state.completed / ((performance.now() - startedAt) / 1000)
  const database = await readDatabase(databaseUrl)
  const getIncrease = (name: keyof typeof database) => database[name] - databaseBefore[name]
  const processor = {
    services: readProcessorMs().map((ms, index) => ms - (before[index] ?? 0)),
    postgres: getIncrease('processorMs'),
  }
  await Promise.all(services.map((service) => service.stop()))
  await Promise.all([postgres.stop(), s3.stop()])
  folder.remove()
  if (state.completed !== pages) throw new Error(`Only ${state.completed} pages were crawled.`)
  return {
    ...{ pagesPerSecond, processor, deadlocks: database.deadlocks },
    ...{ commits: getIncrease('commits'), walBytes: getIncrease('wal'), storeBytes: getIncrease('size') },
  }
}

async function readDatabase(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `select deadlocks, xact_commit as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal,
      pg_database_size(current_database()) as size, pg_backend_pid() as pid
    from pg_stat_database where datname = current_database()`,
  )
  const { pid, ...counts } = rows[0]
  // Read while the connection is open, because the parent of its process is the server.
  const processorMs = processorMsOfFamily(parentOf(pid))
  await client.end()
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)]))
  return {
    ...(numbers as Record<'deadlocks' | 'commits' | 'wal' | 'size', number>),
    processorMs,
  }
}
