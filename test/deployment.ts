import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { consoleFolder, hasConsole } from './console.ts'
import { startPostgres } from './servers/postgres.ts'
import { startS3 } from './servers/s3.ts'
import { type RunningService, startService, temporaryFolder } from './service.ts'

/** Where a deployment keeps its state; enough to start one more process on it. */
export type Environment = Record<string, string>

export interface Deployment {
  store: 'sqlite' | 'postgres'
  urls: string[]
  /** Of the first team. */
  key: string
  environment: Environment
  /** For tests that need a service of their own: environment of a fresh, empty store of the same kind. */
  admin: { postgresUrl?: string; s3?: Environment }
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Preparation passes the browser it found; a run by hand looks where Debian puts it. */
export const chromium =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((path) => existsSync(path))

/** What earlier preparations made for code. The environment of a run by hand does not name it. */
const prepared = join(import.meta.dirname, '..', '.prepared')
const python = process.env.PYTHON_PATH ?? join(prepared, 'python', 'bin', 'python3')
const agentBrowser = process.env.AGENT_BROWSER_PATH ?? join(prepared, 'agent-browser', 'agent-browser')

/** What a service of the tests is started with, beside a folder. */
export const common = {
  ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
  ...(existsSync(python) ? { PYTHON_PATH: python } : {}),
  ...(existsSync(agentBrowser) ? { AGENT_BROWSER_PATH: agentBrowser } : {}),
  API_KEY: key,
  ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  LOG_LEVEL: 'warn',
  RATE_PER_MINUTE: '100000',
  // Tests open many sessions that do little.
  SESSIONS_MEMORY_MB: '1000000',
  // Nobody outside is asked; files that test providers start a service with their own.
  SEARCH_PROVIDERS: 'none',
}

/** One machine: one process, SQLite and files. */
export async function deployOnSqlite(): Promise<Deployment> {
  const folder = temporaryFolder()
  const environment = { ...common, DATA_DIR: folder.path }
  const service = await startService({
    ...environment,
    ...(hasConsole ? { CONSOLE_PATH: consoleFolder } : {}),
  })
  return {
    store: 'sqlite',
    urls: [service.url],
    key,
    environment,
    admin: {},
    async stop() {
      await service.stop()
      folder.remove()
    },
  }
}

/** Several processes: two that serve the API and two that work, on PostgreSQL and a bucket. */
export async function deployOnPostgres(): Promise<Deployment> {
  const folder = temporaryFolder()
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
  const bucket = {
    BLOBS_URL: s3.blobsUrl,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
  const environment = {
    ...common,
    ...bucket,
    DATA_DIR: folder.path,
    DATABASE_URL: await postgres.createDatabase(),
  }
  // All at once on an empty database: the first process creates the tables and the team, and no process fails.
  const services: RunningService[] = await Promise.all(
    ['api', 'api', 'worker', 'worker'].map((role) => startService({ ...environment, ROLE: role })),
  )
  return {
    store: 'postgres',
    urls: services.slice(0, 2).map((service) => service.url),
    key,
    environment: { ...environment, ROLE: 'all' },
    admin: { postgresUrl: postgres.url, s3: bucket },
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await Promise.all([postgres.stop(), s3.stop()])
      folder.remove()
    },
  }
}
