import { Client } from 'pg'
import { type Answer, type CallOptions, callAt } from '../api.ts'
import { startMoto, testPython } from '../servers/moto.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { type Relay, startRelay } from '../servers/relay.ts'
import { startS3 } from '../servers/s3.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { isWhole } from './faults.ts'

export interface Fleet {
  postgres: PostgresServer
  /** Relay in front of the bucket. */
  bucket: Relay
  databaseUrl: string
  /** Environment of each process, except its role. */
  environment: Record<string, string>
  services: RunningService[]
  key: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Returns the first column of the first row. */
  read<Value>(statement: string): Promise<Value>
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Starts several processes of the service with their own PostgreSQL and bucket. */
export async function startFleet(roles: string[], changes: Record<string, string> = {}): Promise<Fleet> {
  const folder = temporaryFolder()
  // Use moto if it is installed, because other tests use another S3 server. The full form requires it.
  if (isWhole && testPython === undefined)
    throw new Error('The faults need moto, which the preparation installs.')
  const [postgres, s3] = await Promise.all([
    startPostgres(),
    testPython === undefined ? startS3() : startMoto(),
  ])
  const bucket = await startRelay(s3.endpoint)
  const databaseUrl = await postgres.createDatabase()
  const environment = {
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    BLOBS_URL: s3.blobsUrl.replace(encodeURIComponent(s3.endpoint), encodeURIComponent(bucket.url)),
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    DATABASE_URL: databaseUrl,
    ...changes,
  }
  const services = await Promise.all(roles.map((role) => startService({ ...environment, ROLE: role })))
  const urls = services.filter((_, index) => roles[index] !== 'worker').map(({ url }) => url)
  let callCount = 0
  return {
    postgres,
    bucket,
    databaseUrl,
    environment,
    services,
    key,
    call(method, path, options = {}) {
      callCount += 1
      return callAt(urls[callCount % urls.length] ?? '', method, path, { key, ...options })
    },
    read: (statement) => readOne(databaseUrl, statement),
    async stop() {
      await Promise.all(services.map((service) => service.kill()))
      await Promise.all([postgres.stop(), bucket.stop(), s3.stop()])
      folder.remove()
    },
  }
}

async function readOne<Value>(url: string, statement: string): Promise<Value> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
