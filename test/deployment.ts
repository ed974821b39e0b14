import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { consoleFolder, hasConsole } from './console.ts'
import { startPostgres } from './servers/postgres.ts'
import { startS3 } from './servers/s3.ts'
import { type RunningService, startService, temporaryFolder } from './service.ts'

/** Environment variables with the state of a deployment; enough to start another process on it. */
export type Environment = Record<string, string>

export interface Deployment {
  store: 'sqlite' | 'postgres'
  urls: string[]
  /** Key of the first team. */
  key: string
  environment: Environment
  /** Environment of a fresh, empty store of the same kind, for tests that need their own service. */
  admin: { postgresUrl?: string; s3?: Environment }
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Path of the browser. The setup passes it; without it, the path of Debian is used. */
export const chromium =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((path) => existsSync(path))

/** Programs for code from an earlier setup, because the environment of a manual run does not name them. */
const prepared = join(import.meta.dirname, '..', '.prepared')
const python = process.env.PYTHON_PATH ?? join(prepared, 'python', 'bin', 'python3')
const agentBrowser = process.env.AGENT_BROWSER_PATH ?? join(prepared, 'agent-browser', 'agent-browser')

/** Environment of every test service, except its folder. */
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
  // No external provider is queried. Files that test providers start a service with their own.
  SEARCH_PROVIDERS: 'none',
}

/** Deploys on one machine: one process, SQLite and files. */
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

/** Deploys several processes, two for the API and two workers, on PostgreSQL and a bucket. */
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
  // Start all processes concurrently on an empty database. The first one creates the tables and the team, and none
  // may fail.
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
