import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blobsContract } from './blobs.contract.ts'
import { diskBlobs } from './disk.ts'

describe('blobs on disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'winnow-blobs-'))
  afterAll(() => rmSync(root, { recursive: true }))

  blobsContract(() => diskBlobs(root))

  it('leaves no half-written file behind', async () => {
    await diskBlobs(root).put('tidy/one', Buffer.from('bytes'))
    expect(readdirSync(join(root, 'tidy'))).toEqual(['one'])
  })

  it('shows old or new bytes but never half of them while one key is written many times', async () => {
    const versions = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(200_000, letter))
    await diskBlobs(root).put('contract/raced', versions[0] ?? Buffer.alloc(0))
    const writes = versions.map((version) => diskBlobs(root).put('contract/raced', version))
    const reads = Array.from({ length: 10 }, () => diskBlobs(root).get('contract/raced'))
    await Promise.all(writes)
    for (const read of await Promise.all(reads)) expect(new Set(read).size).toBe(1)
  })
})
