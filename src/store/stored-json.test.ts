import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { compressedRows, pack, storedJson, unpack } from './stored-json.ts'

const column = storedJson(
  { table: 'webhooks', column: 'headers' },
  z.looseObject({ name: z.string(), added: z.boolean().default(true) }),
)

function readFailure(text: string): AppError {
  try {
    column.read(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
  }
  throw new Error('It was read.')
}

describe('storedJson', () => {
  it('reads the value that it wrote', () => {
    const value = { name: 'ä', added: false }
    expect(column.read(column.write(value))).toEqual(value)
  })

  it('reads a value of another version: adds defaults and keeps unknown properties', () => {
    expect(column.read('{"name":"a","other":[1]}')).toEqual({ name: 'a', added: true, other: [1] })
  })

  it.each([
    ['not JSON', '{"name":"secret'],
    ['empty', ''],
    ['of another shape', '{"name":["secret"]}'],
    ['null', 'null'],
  ])('names table and column if the text is %s, and does not quote the text', (_, text) => {
    const error = readFailure(text)
    expect(error).toMatchObject({ code: 'INTERNAL', detail: { table: 'webhooks', column: 'headers' } })
    expect(error.message).toContain('webhooks.headers')
    expect(String(error.cause)).toContain('webhooks.headers: ')
    expect(`${error.message}${String(error.cause)}${JSON.stringify(error.detail)}`).not.toContain('secret')
  })
})

const megabyte = 1024 * 1024

function blobsIn(stored: Map<string, Uint8Array>): Blobs {
  return {
    async put(key, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new Error('Packed bytes are put at once.')
      stored.set(key, bytes)
      return key
    },
    get: async (key) => stored.get(key),
    open: async () => undefined,
    delete: async (key) => void stored.delete(key),
    list: async () => [],
  }
}

describe('pack and unpack', () => {
  it.each([
    ['nothing', 0],
    ['a few', 100],
    ['as many as are unpacked at once', 256 * 1024],
    ['one more', 256 * 1024 + 1],
    ['many', 3 * megabyte],
  ])('restore the bytes: %s', async (_, length) => {
    const bytes = randomBytes(length)
    expect(Buffer.from(await unpack(await pack(bytes), 4 * megabyte)).equals(bytes)).toBe(true)
  })

  it('reject a result above the maximum, however few the compressed bytes are', async () => {
    const bomb = await pack(Buffer.alloc(8 * megabyte))
    expect(bomb.length).toBeLessThan(10_000)
    await expect(unpack(bomb, 8 * megabyte - 1)).rejects.toThrow()
    expect(await unpack(bomb, 8 * megabyte)).toHaveLength(8 * megabyte)
    await expect(unpack(await pack(Buffer.alloc(100)), 99)).rejects.toThrow()
  })

  it('never return different bytes if a byte was changed or is missing', async () => {
    const bytes = randomBytes(200)
    const compressed = await pack(bytes)
    for (let index = 0; index < compressed.length; index += 1) {
      const damaged = Uint8Array.from(compressed)
      damaged[index] = (damaged[index] ?? 0) ^ 1
      // A changed bit of the header that states the required memory may have no effect on the result.
      const unpacked = await unpack(damaged, 1000).catch(() => bytes)
      expect(Buffer.from(unpacked).equals(bytes), `byte ${index}`).toBe(true)
    }
    await expect(unpack(compressed.subarray(0, -1), 1000)).rejects.toThrow()
  })
})

describe('compressedRows', () => {
  const rows = compressedRows('site_files')

  it('stores few bytes in the row and many in a blob', async () => {
    const stored = new Map<string, Uint8Array>()
    const blobs = blobsIn(stored)
    const [few, many] = [randomBytes(256 * 1024), randomBytes(256 * 1024 + 1)]
    expect(await rows.write(blobs, few)).toEqual({ body: few, blob: null })
    const row = await rows.write(blobs, many)
    expect(row).toEqual({ body: null, blob: expect.stringMatching(/^site-files\//) })
    expect(await rows.read(blobs, row)).toBe(many)
    stored.clear()
    expect(await rows.read(blobs, row)).toBeUndefined()
    expect(await rows.read(blobs, { body: null, blob: null })).toBeUndefined()
  })

  it('names the table if the bytes are unreadable', async () => {
    await expect(rows.unpack(Buffer.from('no such thing'))).rejects.toMatchObject({
      code: 'INTERNAL',
      detail: { table: 'site_files', column: 'body' },
    })
  })

  it.each([
    [
      'a page',
      'KLUv/QBIZQEAFAI8aDE+S2VwdCBwYWdlPC9oMT48cD50ZXh0IG9mIHRoZXACALM6lcC68wk=',
      '<h1>Kept page</h1>',
    ],
    [
      'a robots.txt',
      'KLUv/QBYVQEAFAJVc2VyLWFnZW50OiAqCkRpc2FsbG93OiAvcHJpdmF0ZQoBACETSj0B',
      'User-agent: *\n',
    ],
    ['a version', 'KLUv/QBYJQEA6CMgVmVyc2lvbiBvbmUKClRoZSBzYW1lIGxpbmUuAQAVhJpO', '# Version one\n'],
  ])('reads bytes without a checksum: %s', async (_, compressed, start) => {
    const bytes = await rows.unpack(Buffer.from(compressed, 'base64'))
    expect(Buffer.from(bytes).toString().slice(0, start.length)).toBe(start)
  })
})
