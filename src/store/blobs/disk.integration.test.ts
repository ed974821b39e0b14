import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blobsContract } from '../../../test/contracts/blobs.ts'
import { computeBlobSum } from '../../platform/blob-name.ts'
import { diskBlobs } from './disk.ts'

describe('diskBlobs', () => {
  const root = mkdtempSync(join(tmpdir(), 'winnow-blobs-'))
  afterAll(() => rmSync(root, { recursive: true }))

  blobsContract({
    open: () => diskBlobs(root),
    async overwrite(name, bytes) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), bytes)
    },
  })

  it('leaves no partly written file', async () => {
    const name = await diskBlobs(root).put('tidy/one', Buffer.from('bytes'))
    expect(readdirSync(join(root, 'tidy'))).toEqual([name.slice('tidy/'.length)])
  })

  it('returns a complete blob or none while one name is written several times', async () => {
    const bytes = Buffer.alloc(200_000, 'a')
    const { sha256, size } = await computeBlobSum(bytes)
    const name = `contract/raced.${size}.${sha256}`
    const writes = Array.from({ length: 4 }, () => diskBlobs(root).put('contract/raced', bytes))
    const reads = Array.from({ length: 10 }, () => diskBlobs(root).get(name))
    expect(await Promise.all(writes)).toEqual(Array(4).fill(name))
    for (const read of await Promise.all(reads)) expect(read?.length ?? size).toBe(size)
  })
})
