import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import { onFreePort } from './free-port.ts'
import { startGuardedServer } from './guarded-server.ts'
import type { S3Server } from './s3.ts'

const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'python-tests', 'bin', 'python3')
/**
 * Python with the packages of the tests. The setup passes its path; without it, the default path of the setup is
 * used.
 */
export const testPython = process.env.TEST_PYTHON_PATH ?? (existsSync(prepared) ? prepared : undefined)

const bucket = 'winnow-moto'
const region = 'eu-west-1'
const credentials = { accessKeyId: 'testing', secretAccessKey: 'testing' }

/** Starts moto, an S3 server that shares no code with s3rver and stores its objects in memory. */
export function startMoto(): Promise<Omit<S3Server, 'restart'>> {
  const python = testPython
  if (python === undefined) throw new Error('There is no Python with moto here.')
  return onFreePort(async (port) => {
    const folder = mkdtempSync(join(tmpdir(), 'winnow-moto-'))
    const server = startGuardedServer({
      folder,
      before: [],
      server: { program: python, arguments: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)] },
      stopSignal: 'SIGTERM',
    })
    const endpoint = `http://127.0.0.1:${port}`
    const client = new S3mini({ ...credentials, endpoint: `${endpoint}/${bucket}`, region })
    await server.waitUntilReady(async () => (await client.createBucket()) || undefined)
    const blobsUrl = `s3://${bucket}/blobs?${new URLSearchParams({ endpoint, region })}`
    return { endpoint, bucket, ...credentials, blobsUrl, stop: () => server.stop() }
  })
}
