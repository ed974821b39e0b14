import { expect, it } from 'vitest'
import type { Blobs, OpenBlob } from '../../ports/blobs.ts'

/** What every adapter of the port promises. */
export function blobsContract(open: () => Blobs): void {
  it('gives back the bytes that were put', async () => {
    await open().put('contract/plain', Buffer.from('bytes'))
    expect(await open().get('contract/plain')).toEqual(new Uint8Array(Buffer.from('bytes')))
  })

  it('gives plain byte arrays, not a runtime class', async () => {
    await open().put('contract/class', Buffer.from('bytes'))
    expect((await open().get('contract/class'))?.constructor).toBe(Uint8Array)
  })

  it('knows nothing under a key that was never put', async () => {
    expect(await open().get('contract/never')).toBeUndefined()
  })

  it('replaces what was there', async () => {
    await open().put('contract/twice', Buffer.from('the first, longer text'))
    await open().put('contract/twice', Buffer.from('second'))
    expect(Buffer.from((await open().get('contract/twice')) ?? []).toString()).toBe('second')
  })

  it('forgets what was deleted, and deleting nothing is no error', async () => {
    await open().put('contract/gone', Buffer.from('bytes'))
    await open().delete('contract/gone')
    await open().delete('contract/gone')
    expect(await open().get('contract/gone')).toBeUndefined()
  })

  it('keeps an empty blob apart from an absent one', async () => {
    await open().put('contract/empty', new Uint8Array())
    expect(await open().get('contract/empty')).toEqual(new Uint8Array())
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
  })

  it('keeps megabytes exactly', async () => {
    const bytes = new Uint8Array(6 * 1024 * 1024).map((_, index) => index % 251)
    await open().put('contract/large', bytes)
    expect(Buffer.compare((await open().get('contract/large')) ?? new Uint8Array(), bytes)).toBe(0)
  })
  streamContract(open)
}

function streamContract(open: () => Blobs): void {
  it('streams a blob with its size', async () => {
    const bytes = new Uint8Array(3 * 1024 * 1024 + 7).map((_, index) => index % 251)
    await open().put('contract/stream', bytes)
    const opened = await open().open('contract/stream')
    expect(opened?.size).toBe(bytes.length)
    expect(Buffer.compare(await readAll(opened), bytes)).toBe(0)
    // A second read starts at the beginning again.
    expect((await readAll(opened)).length).toBe(bytes.length)
  })

  it('streams an empty blob, and no blob that was never put', async () => {
    await open().put('contract/empty-stream', new Uint8Array())
    const opened = await open().open('contract/empty-stream')
    expect(opened?.size).toBe(0)
    expect((await readAll(opened)).length).toBe(0)
    expect(await open().open('contract/never-stream')).toBeUndefined()
  })
}

async function readAll(opened: OpenBlob | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of opened?.chunks() ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}
