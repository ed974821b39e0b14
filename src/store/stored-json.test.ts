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

function failureOf(text: string): AppError {
  try {
    column.read(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
  }
  throw new Error('It was read.')
}

describe('a stored column', () => {
  it('reads what it wrote', () => {
    const value = { name: 'ä', added: false }
    expect(column.read(column.write(value))).toEqual(value)
  })

  it('reads what another version wrote: with a default for what it did not know, and what is not known here', () => {
    expect(column.read('{"name":"a","other":[1]}')).toEqual({ name: 'a', added: true, other: [1] })
  })

  it.each([
    ['not JSON', '{"name":"secret'],
    ['empty', ''],
    ['of another shape', '{"name":["secret"]}'],
    ['null', 'null'],
  ])('names table and column where the text is %s, and nothing of the text', (_, text) => {
    const error = failureOf(text)
    expect(error).toMatchObject({ code: 'INTERNAL', detail: { table: 'webhooks', column: 'headers' } })
    expect(error.message).toContain('webhooks.headers')
    expect(String(error.cause)).toContain('webhooks.headers: ')
    expect(`${error.message}${String(error.cause)}${JSON.stringify(error.detail)}`).not.toContain('secret')
  })
})

const megabyte = 1024 * 1024

function blobsIn(kept: Map<string, Uint8Array>): Blobs {
  return {
    async put(key, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new Error('Packed bytes are put at once.')
      kept.set(key, bytes)
      return key
    },
    get: async (key) => kept.get(key),
    open: async () => undefined,
    delete: async (key) => void kept.delete(key),
    list: async () => [],
  }
}

describe('packed bytes', () => {
  it.each([
    ['nothing', 0],
    ['a few', 100],
    ['as many as are unpacked at once', 256 * 1024],
    ['one more', 256 * 1024 + 1],
    ['many', 3 * megabyte],
  ])('are the same again: %s', async (_, length) => {
    const bytes = randomBytes(length)
    expect(Buffer.from(await unpack(await pack(bytes), 4 * megabyte)).equals(bytes)).toBe(true)
  })

  it('are refused where they unpack to more than is allowed, however few they are', async () => {
    const bomb = await pack(Buffer.alloc(8 * megabyte))
    expect(bomb.length).toBeLessThan(10_000)
    await expect(unpack(bomb, 8 * megabyte - 1)).rejects.toThrow()
    expect(await unpack(bomb, 8 * megabyte)).toHaveLength(8 * megabyte)
    await expect(unpack(await pack(Buffer.alloc(100)), 99)).rejects.toThrow()
  })

  it('are never other bytes than before where one of them has changed or some are missing', async () => {
    const bytes = randomBytes(200)
    const packed = await pack(bytes)
    for (let index = 0; index < packed.length; index += 1) {
      const damaged = Uint8Array.from(packed)
      damaged[index] = (damaged[index] ?? 0) ^ 1
      // A bit of the head that says how much memory is needed, not what is unpacked, may change nothing.
      const unpacked = await unpack(damaged, 1000).catch(() => bytes)
      expect(Buffer.from(unpacked).equals(bytes), `byte ${index}`).toBe(true)
    }
    await expect(unpack(packed.subarray(0, -1), 1000)).rejects.toThrow()
  })
})

describe('packed rows', () => {
  const rows = compressedRows('site_files')

  it('keep few bytes in themselves and many in a blob of their own', async () => {
    const kept = new Map<string, Uint8Array>()
    const blobs = blobsIn(kept)
    const [few, many] = [randomBytes(256 * 1024), randomBytes(256 * 1024 + 1)]
    expect(await rows.keep(blobs, few)).toEqual({ body: few, blob: null })
    const row = await rows.keep(blobs, many)
    expect(row).toEqual({ body: null, blob: expect.stringMatching(/^site-files\//) })
    expect(await rows.find(blobs, row)).toBe(many)
    kept.clear()
    expect(await rows.find(blobs, row)).toBeUndefined()
    expect(await rows.find(blobs, { body: null, blob: null })).toBeUndefined()
  })

  it('name their table where they cannot be read', async () => {
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
  ])('read what was written without a sum: %s', async (_, packed, start) => {
    const bytes = await rows.unpack(Buffer.from(packed, 'base64'))
    expect(Buffer.from(bytes).toString().slice(0, start.length)).toBe(start)
  })
})
