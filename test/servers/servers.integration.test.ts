import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { S3mini } from 's3mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { type S3Server, startS3 } from './s3.ts'
import { until } from './until.ts'

const startLimit = 90_000

describe('the PostgreSQL of the tests', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, startLimit)
  afterAll(() => server.stop())

  it('runs a query', async () => {
    expect(await rows(server.url, 'select 6 * 7 as answer')).toEqual([{ answer: 42 }])
  })

  it('isolates two databases from each other', async () => {
    const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()])
    await rows(first, 'create table only_here (id int)')
    await expect(rows(second, 'select * from only_here')).rejects.toThrow('does not exist')
  })

  it('has fsync on', async () => {
    expect(await rows(server.url, 'show fsync')).toEqual([{ fsync: 'on' }])
  })

  it('lowers letters of all languages', async () => {
    expect(await rows(server.url, "select lower('ÄЖ') as small")).toEqual([{ small: 'äж' }])
  })

  it('rejects a wrong password', async () => {
    const url = new URL(server.url)
    url.password = 'wrong'
    await expect(rows(url.href, 'select 1')).rejects.toThrow('password')
  })
})

describe('the end of the PostgreSQL of the tests', () => {
  it('cuts connections when it is killed, and still stops cleanly', { timeout: startLimit }, async () => {
    const server = await startPostgres()
    const folder = await folderOf(server)
    const client = new Client(server.url)
    await client.connect()
    const cut = once(client, 'error')
    server.kill()
    await cut
    await server.stop()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('the S3 server of the tests', () => {
  let server: S3Server
  let bucket: S3mini
  const clientWith = (access: Partial<S3Server>) => {
    const { accessKeyId, secretAccessKey } = { ...server, ...access }
    const endpoint = `${server.endpoint}/${server.bucket}`
    return new S3mini({ endpoint, accessKeyId, secretAccessKey, region: 'us-east-1' })
  }
  beforeAll(async () => {
    server = await startS3()
    bucket = clientWith({})
  }, startLimit)
  afterAll(() => server.stop())

  it('returns a stored object', async () => {
    await bucket.putObject('folder/a b/é+&.txt', 'some text')
    expect(await bucket.getObject('folder/a b/é+&.txt')).toBe('some text')
  })

  it('replaces an object', async () => {
    await bucket.putObject('replaced', 'old')
    await bucket.putObject('replaced', 'new')
    expect(await bucket.getObject('replaced')).toBe('new')
  })

  it('returns null for a key that was never stored', async () => {
    expect(await bucket.getObject('never')).toBeNull()
  })

  it('returns null for a deleted key', async () => {
    await bucket.putObject('deleted', 'gone soon')
    await bucket.deleteObject('deleted')
    expect(await bucket.getObject('deleted')).toBeNull()
  })

  it('accepts the deletion of an absent key', async () => {
    expect(await bucket.deleteObject('never')).toBe(true)
  })

  it('returns five megabytes byte for byte', async () => {
    const bytes = Buffer.alloc(5_000_000, 'five megabytes')
    await bucket.putObject('large', bytes)
    const stored = await bucket.getObjectArrayBuffer('large')
    expect(stored && bytes.equals(Buffer.from(stored))).toBe(true)
  })

  it('lists keys by prefix', async () => {
    await bucket.putObject('listed/one', '1')
    await bucket.putObject('listed/two', '2')
    const objects = await bucket.listObjects('/', 'listed/')
    expect(objects?.map(({ Key }) => Key).sort()).toEqual(['listed/one', 'listed/two'])
  })

  it('rejects a wrong secret', async () => {
    await expect(clientWith({ secretAccessKey: 'wrong' }).putObject('refused', 'x')).rejects.toThrow('403')
  })

  it('rejects an unknown access key', async () => {
    await expect(clientWith({ accessKeyId: 'UNKNOWN' }).getObject('large')).rejects.toThrow('403')
  })

  it('rejects a request without a signature', async () => {
    const response = await fetch(`${server.endpoint}/${server.bucket}/large`)
    expect(response.ok).toBe(false)
  })

  it('contains its endpoint in the URL for the service', () => {
    const url = new URL(server.blobsUrl)
    expect(url.searchParams.get('endpoint')).toBe(server.endpoint)
  })
})

describe('a killed process with running servers', () => {
  it('leaves neither servers nor folders behind', { timeout: startLimit }, async () => {
    const program = fileURLToPath(new URL('./abandoned.ts', import.meta.url))
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [text] = await once(child.stdout.setEncoding('utf8'), 'data')
    const { url, endpoint } = JSON.parse(text)
    const folder = await folderOf({ url })
    child.kill('SIGKILL')
    await until('the end of PostgreSQL', 20_000, async () => !(await isListening(url)) || undefined)
    await until('the end of S3', 20_000, async () => !(await isListening(endpoint)) || undefined)
    await until('the removal of the folder', 20_000, async () => !existsSync(folder) || undefined)
  })
})

async function rows(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function folderOf(server: { url: string }) {
  const [row] = await rows(server.url, "select current_setting('data_directory') as path")
  // The statement above selects this one column.
  return dirname((row as { path: string }).path)
}

async function isListening(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  return once(socket, 'connect').then(
    () => {
      socket.destroy()
      return true
    },
    () => false,
  )
}
