import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { S3mini } from 's3mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobsContract } from '../../../test/contracts/blobs.ts'
import { type S3Server, startS3 } from '../../../test/servers/s3.ts'
import { readSettings } from '../../bootstrap/settings.ts'
import { type Bucket, s3Blobs } from './s3.ts'

describe('s3Blobs', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(async () => {
    await server.stop()
    for (const httpServer of servers) httpServer.close().closeAllConnections()
  })

  const servers: Server[] = []
  async function serve(handle: RequestListener): Promise<string> {
    const httpServer = createServer(handle).listen(0, '127.0.0.1')
    servers.push(httpServer)
    await once(httpServer, 'listening')
    return `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`
  }

  const bucket = (secret = server.secretAccessKey): Bucket => {
    const settings = readSettings({
      BLOBS_URL: server.blobsUrl,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
    })
    if (!settings.store.bucket) throw new Error('The settings have no bucket.')
    return settings.store.bucket
  }

  blobsContract({
    open: () => s3Blobs(bucket()),
    async overwrite(name, bytes) {
      const { prefix, ...connection } = bucket()
      await new S3mini(connection).putObject(prefix + name, bytes, 'application/octet-stream')
    },
  })

  it('throws with wrong credentials', async () => {
    await expect(s3Blobs(bucket('wrong')).put('refused', Buffer.from('bytes'))).rejects.toThrow()
    await expect(s3Blobs(bucket('wrong')).get('refused')).rejects.toThrow()
  })

  it.each([301, 307])('does not follow a redirect with status %i to another server', async (status) => {
    const requests: string[] = []
    const other = await serve((request, response) => {
      requests.push(request.method ?? '')
      response.end('bytes of another server')
    })
    const endpoint = await serve((_, response) => response.writeHead(status, { location: other }).end())
    const blobs = s3Blobs({ ...bucket(), endpoint: `${endpoint}/bucket` })
    await expect(blobs.get('key')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect(blobs.put('key', Buffer.from('private'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
    await expect(blobs.delete('key')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(requests).toEqual([])
  })

  it('omits the text of a server error, which may contain the signature', async () => {
    const endpoint = await serve((request, response) => {
      response.writeHead(403).end(`<Error><Code>x ${request.headers.authorization}</Code></Error>`)
    })
    const blobs = s3Blobs({ ...bucket(), endpoint: `${endpoint}/bucket` })
    const error = await blobs.get('key').catch((thrown: unknown) => thrown)
    const text = inspect(error, { depth: 9, showHidden: true })
    expect(text).toContain('status 403')
    expect(text).not.toMatch(/Signature|Credential/)
  })

  it.each([
    [507, 'XMinioStorageFull', 'the bucket is full'],
    [403, 'RequestTimeTooSkewed', 'the clock of this machine differs too much from the clock of the bucket'],
  ])('names the reason of status %i with code %s', async (status, code, reason) => {
    const endpoint = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`)
    })
    const blobs = s3Blobs({ ...bucket(), endpoint: `${endpoint}/bucket` })
    await expect(blobs.put('key', Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: { part: 'blobs', reason },
    })
  })

  it('throws if the server is unreachable', async () => {
    const unreachable = s3Blobs({ ...bucket(), endpoint: 'http://127.0.0.1:9/bucket' })
    await expect(unreachable.get('anything')).rejects.toThrow()
  })
})
