import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3 } from '../../../test/servers/s3.ts'
import { readSettings } from '../../settings.ts'
import { blobsContract } from './blobs.contract.ts'
import { type Bucket, s3Blobs } from './s3.ts'

describe('blobs in a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server.stop())

  const bucket = (secret = server.secretAccessKey): Bucket => {
    const settings = readSettings({
      BLOBS_URL: server.blobsUrl,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
    })
    if (!settings.store.bucket) throw new Error('The settings have no bucket.')
    return settings.store.bucket
  }

  blobsContract(() => s3Blobs(bucket()))

  it('fails loudly with wrong credentials', async () => {
    await expect(s3Blobs(bucket('wrong')).put('refused', Buffer.from('bytes'))).rejects.toThrow()
    await expect(s3Blobs(bucket('wrong')).get('refused')).rejects.toThrow()
  })

  it('fails loudly when the server is gone', async () => {
    const gone = s3Blobs({ ...bucket(), endpoint: 'http://127.0.0.1:9/bucket' })
    await expect(gone.get('anything')).rejects.toThrow()
  })
})
