import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { S3mini } from 's3mini'
import { onFreePort } from './free-port.ts'
import { type Command, startGuardedServer } from './guarded-server.ts'

export interface S3Server {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Value for BLOBS_URL: a prefix in the bucket, with endpoint and region. */
  blobsUrl: string
  stop(): Promise<void>
  /** Restarts the server, with a pause of `afterMs`. */
  restart(afterMs: number): void
}

/**
 * Starts an S3-compatible server on a free loopback port, with one empty bucket. The server is s3rver, which npm
 * installs everywhere. RCLONE_BINARY names an rclone program (1.65 or later), to run the same tests against a second
 * server that shares no code with the first.
 */
export async function startS3(): Promise<S3Server> {
  const rclone = process.env.RCLONE_BINARY
  return onFreePort((port) => startOn(port, rclone ? rcloneCommand(rclone) : s3rverCommand))
}

/** Settings of both servers. For rclone, each folder below `folder` is a bucket; s3rver creates its own buckets. */
interface S3Settings {
  folder: string
  port: number
  credentials: { accessKeyId: string; secretAccessKey: string }
}

const bucket = 'winnow-test'
const region = 'us-east-1'

async function startOn(port: number, commandFor: (settings: S3Settings) => Command): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-s3-'))
  mkdirSync(join(folder, 'buckets', bucket), { recursive: true })
  // The built-in access key of s3rver.
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: randomBytes(20).toString('hex') }
  const server = startGuardedServer({
    folder,
    before: [],
    server: commandFor({ folder, port, credentials }),
    stopSignal: 'SIGTERM',
  })
  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3mini({ ...credentials, endpoint: `${endpoint}/${bucket}`, region })
  // Only this server accepts the secret, so another server on this port is not mistaken for it.
  await server.waitUntilReady(async () => (await client.bucketExists()) || undefined)
  const blobsUrl = `s3://${bucket}/blobs?${new URLSearchParams({ endpoint, region })}`
  return { endpoint, bucket, ...credentials, blobsUrl, stop: () => server.stop(), restart: server.restart }
}

function s3rverCommand(settings: S3Settings): Command {
  const program = fileURLToPath(new URL('./s3rver.ts', import.meta.url))
  // s3rver encrypts the tokens of its lists with DES, which OpenSSL 3 has in its legacy provider only.
  return {
    program: process.execPath,
    arguments: ['--openssl-legacy-provider', program, JSON.stringify({ ...settings, bucket })],
  }
}

function rcloneCommand(program: string) {
  return ({ folder, port, credentials }: S3Settings): Command => {
    const source = [join(folder, 'buckets'), '--addr', `127.0.0.1:${port}`]
    const access = ['--auth-key', `${credentials.accessKeyId},${credentials.secretAccessKey}`]
    // Without a config file and with its cache in the test folder, rclone reads and leaves nothing elsewhere.
    const isolation = ['--config', '', '--cache-dir', join(folder, 'cache')]
    return { program, arguments: ['serve', 's3', ...source, ...access, ...isolation] }
  }
}
