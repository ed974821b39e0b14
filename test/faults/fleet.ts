import { Client } from 'pg'
import { type Answer, type CallOptions, callAt } from '../api.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { type S3Server, startS3 } from '../servers/s3.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'

export interface Fleet {
  postgres: PostgresServer
  s3: S3Server
  databaseUrl: string
  services: RunningService[]
  key: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** One value of one row. */
  read<Value>(statement: string): Promise<Value>
  stop(): Promise<void>
}

const key = 'fc-00000000000000000000000000000000'

/** Several processes of the service on a PostgreSQL and a bucket of their own. */
export async function startFleet(roles: string[], changes: Record<string, string> = {}): Promise<Fleet> {
  const folder = temporaryFolder()
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
  const databaseUrl = await postgres.createDatabase()
  const environment = {
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    BLOBS_URL: s3.blobsUrl,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    DATABASE_URL: databaseUrl,
    ...changes,
  }
  const services = await Promise.all(roles.map((role) => startService({ ...environment, ROLE: role })))
  const urls = services.filter((_, index) => roles[index] !== 'worker').map(({ url }) => url)
  let turn = 0
  return {
    postgres,
    s3,
    databaseUrl,
    services,
    key,
    call(method, path, options = {}) {
      turn += 1
      return callAt(urls[turn % urls.length] ?? '', method, path, { key, ...options })
    },
    read: (statement) => readOne(databaseUrl, statement),
    async stop() {
      await Promise.all(services.map((service) => service.kill()))
      await Promise.all([postgres.stop(), s3.stop()])
      folder.remove()
    },
  }
}

async function readOne<Value>(url: string, statement: string): Promise<Value> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: statement, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}
