import { expect, it } from 'vitest'
import type { Blobs, OpenBlob } from '../../src/platform/ports/blobs.ts'

export interface BlobsUnderTest {
  open(): Blobs
  /** Replaces the bytes of a stored blob, or writes bytes under any name, to simulate a fault or an older version. */
  overwrite(name: string, bytes: Uint8Array): Promise<void>
}

/** Declares the tests that every implementation of the port must pass. */
export function blobsContract(tested: BlobsUnderTest): void {
  const { open } = tested
  it('returns the stored bytes', async () => {
    const name = await open().put('contract/plain', Buffer.from('bytes'))
    expect(await open().get(name)).toEqual(new Uint8Array(Buffer.from('bytes')))
  })

  it('names a blob after its size and hash, whether it is stored at once or in parts', async () => {
    const sha256 = '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9'
    expect(await open().put('contract/named', Buffer.from('bytes'))).toBe(`contract/named.5.${sha256}`)
    const name = await open().put('contract/parts', parts('by', 'tes'))
    expect(name).toBe(`contract/parts.5.${sha256}`)
    expect(await open().get(name)).toEqual(new Uint8Array(Buffer.from('bytes')))
  })

  it('returns a plain Uint8Array, not a runtime class', async () => {
    const name = await open().put('contract/class', Buffer.from('bytes'))
    expect((await open().get(name))?.constructor).toBe(Uint8Array)
  })

  it('returns undefined for a key that was never stored', async () => {
    expect(await open().get('contract/never')).toBeUndefined()
  })

  it('returns undefined after deletion, and deleting an absent blob is not an error', async () => {
    const name = await open().put('contract/gone', Buffer.from('bytes'))
    await open().delete(name)
    await open().delete(name)
    expect(await open().get(name)).toBeUndefined()
  })

  it('distinguishes an empty blob from an absent one', async () => {
    const name = await open().put('contract/empty', new Uint8Array())
    expect(await open().get(name)).toEqual(new Uint8Array())
  })

  it.each([
    '../outside',
    'a/../../outside',
    '/etc/passwd',
    '',
    '.',
    'a//b',
    'a?b',
    'a%2f..',
    'a\\b',
    'a\u0000b',
  ])('rejects the key %j', async (key) => {
    const blobs = open()
    await expect(blobs.put(key, Buffer.from('bytes'))).rejects.toThrow()
    await expect(blobs.get(key)).rejects.toThrow()
    await expect(blobs.open(key)).rejects.toThrow()
    await expect(blobs.delete(key)).rejects.toThrow()
    await expect(blobs.list(key, { after: '', limit: 1 })).rejects.toThrow()
  })

  it('stores megabytes exactly', async () => {
    const bytes = pattern(6 * 1024 * 1024)
    const name = await open().put('contract/large', bytes)
    expect(Buffer.compare((await open().get(name)) ?? new Uint8Array(), bytes)).toBe(0)
  })
  streamContract(tested)
  damageContract(tested)
  listContract(tested)
}

function streamContract({ open }: BlobsUnderTest): void {
  // One size is buffered in memory, one is read twice, and one is verified while it is read.
  it.each([700_000, 3 * 1024 * 1024 + 7, 9 * 1024 * 1024 + 7])(
    'streams a blob of %i bytes with its size',
    async (length) => {
      const bytes = pattern(length)
      const opened = await open().open(await open().put('contract/stream', bytes))
      expect(opened?.size).toBe(length)
      expect(Buffer.compare(await readAll(opened), bytes)).toBe(0)
      // A second read starts at the beginning.
      expect((await readAll(opened)).length).toBe(length)
    },
  )

  it('streams an empty blob, and returns undefined for a blob that was never stored', async () => {
    const opened = await open().open(await open().put('contract/empty-stream', new Uint8Array()))
    expect(opened?.size).toBe(0)
    expect((await readAll(opened)).length).toBe(0)
    expect(await open().open('contract/never-stream')).toBeUndefined()
  })
}

function damageContract({ open, overwrite }: BlobsUnderTest): void {
  const error = (reason: string) => ({ code: 'STORED_DATA_DAMAGED', detail: { reason } })

  it.each([700_000, 3 * 1024 * 1024])(
    'rejects a blob of %i bytes that was truncated or changed, before its first byte',
    async (length) => {
      const bytes = pattern(length)
      const name = await open().put('contract/damaged', bytes)
      await overwrite(name, bytes.subarray(0, -1))
      await expect(open().get(name)).rejects.toMatchObject(error('size'))
      await expect(open().open(name)).rejects.toMatchObject(error('size'))
      await overwrite(name, bytes.with(length - 1, 255))
      await expect(open().get(name)).rejects.toMatchObject(error('hash'))
      await expect(open().open(name)).rejects.toMatchObject(error('hash'))
    },
  )

  it('aborts the stream of a changed blob above 8 MB before its end', async () => {
    const bytes = pattern(9 * 1024 * 1024)
    const name = await open().put('contract/damaged-large', bytes)
    await overwrite(name, bytes.with(0, 255))
    const opened = await open().open(name)
    let read = 0
    const reading = (async () => {
      for await (const chunk of opened?.chunks() ?? []) read += chunk.length
    })()
    await expect(reading).rejects.toMatchObject(error('hash'))
    expect(read).toBeLessThan(bytes.length)
  })

  it('reads a blob of an older version, whose name has no hash', async () => {
    await overwrite('contract/older', Buffer.from('bytes'))
    expect(await open().get('contract/older')).toEqual(new Uint8Array(Buffer.from('bytes')))
    expect((await readAll(await open().open('contract/older'))).toString()).toBe('bytes')
  })
}

function listContract({ open }: BlobsUnderTest): void {
  it('lists a folder in pages, in the order of names, with size and time', async () => {
    const names: string[] = []
    for (const start of ['b', 'a-1', 'c', 'a_1', 'B', 'a'])
      names.push(await open().put(`listed/${start}`, Buffer.from(start)))
    await open().put('listed-other/a', Buffer.from('other'))
    names.sort((left, right) => (left < right ? -1 : 1))
    const first = await open().list('listed', { after: '', limit: 4 })
    expect(first.map(({ name }) => name)).toEqual(names.slice(0, 4))
    const remaining = await open().list('listed', { after: first.at(-1)?.name ?? '', limit: 4 })
    expect(remaining.map(({ name }) => name)).toEqual(names.slice(4))
    expect(await open().list('listed', { after: names.at(-1) ?? '', limit: 4 })).toEqual([])
    expect(await open().list('never-listed', { after: '', limit: 4 })).toEqual([])
    const entry = first.find(({ name }) => name.startsWith('listed/a-1'))
    expect(entry?.size).toBe(3)
    expect(Math.abs((entry?.modifiedAt ?? 0) - Date.now())).toBeLessThan(3600_000)
  })
}

function pattern(length: number): Uint8Array {
  return new Uint8Array(length).map((_, index) => index % 251)
}

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function readAll(opened: OpenBlob | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of opened?.chunks() ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}
