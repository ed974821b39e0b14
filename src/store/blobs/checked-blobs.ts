import { type BlobSum, blobName, countSum, sumInName, sumOf } from '../../platform/blob-name.ts'
import { AppError } from '../../platform/errors.ts'
import type { Blobs, OpenBlob } from '../../platform/ports/blobs.ts'

type Bytes = Parameters<Blobs['put']>[1]

/** Files or objects by name, unchecked. `write` gets the name when all bytes have been read, since the hash is part of it. */
export interface UncheckedBlobs extends Omit<Blobs, 'put' | 'open'> {
  open(name: string): Promise<OpenBlob | undefined>
  write(name: () => string, bytes: Bytes): Promise<void>
}

/** Every adapter returns its blobs through this, so bytes that are not those of their name never reach a caller. */
export function checkedBlobs(blobs: UncheckedBlobs): Blobs {
  return {
    async put(start, bytes) {
      if (bytes instanceof Uint8Array) {
        const name = blobName(start, await sumOf(bytes))
        await blobs.write(() => name, bytes)
        return name
      }
      const sum = countSum()
      let name: string | undefined
      const nameOf = () => {
        name ??= blobName(start, sum.end())
        return name
      }
      await blobs.write(nameOf, counted(bytes, sum))
      return nameOf()
    },
    async get(name) {
      const bytes = await blobs.get(name)
      const expected = sumInName(name)
      if (!bytes || !expected) return bytes
      throwIfOther(expected, { size: bytes.length })
      throwIfOther(expected, await sumOf(bytes))
      return bytes
    },
    async open(name, { isCheckedFirst = false } = {}) {
      const opened = await blobs.open(name)
      const expected = sumInName(name)
      if (!opened || !expected) return opened
      throwIfOther(expected, { size: opened.size })
      const { size } = opened
      if (size <= maxHeldBytes) {
        const bytes = await readAll(checkedChunks(opened, expected))
        return { size, chunks: () => [bytes] }
      }
      const chunks = () => checkedChunks(opened, expected)
      // Read twice rather than held: a slow reader would keep the bytes in memory.
      if (isCheckedFirst || size <= maxCheckedBytes) for await (const _ of chunks());
      return { size, chunks }
    },
    delete: (name) => blobs.delete(name),
    list: (folder, page) => blobs.list(folder, page),
  }
}

/** The hash of a blob up to this size is checked before its first byte is returned. */
const maxCheckedBytes = 8 * 1024 * 1024
/** A blob up to this size is read once and held in memory; a range of a bucket takes as much. */
const maxHeldBytes = 1024 * 1024

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  sum: Pick<ReturnType<typeof countSum>, 'add'>,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    sum.add(part)
    yield part
  }
}

/** Holds the last chunk back until the hash is checked, so a damaged blob is never complete. */
async function* checkedChunks(opened: OpenBlob, expected: BlobSum): AsyncGenerator<Uint8Array> {
  const sum = countSum()
  let last: Uint8Array | undefined
  for await (const chunk of opened.chunks()) {
    sum.add(chunk)
    if (last) yield last
    last = chunk
  }
  throwIfOther(expected, sum.end())
  if (last) yield last
}

function throwIfOther(expected: BlobSum, found: { size: number; sha256?: string }): void {
  if (found.size !== expected.size) throw damaged('size', `${found.size} bytes instead of ${expected.size}`)
  if (found.sha256 !== undefined && found.sha256 !== expected.sha256)
    throw damaged('hash', `${found.sha256} instead of ${expected.sha256}`)
}

function damaged(reason: 'size' | 'hash', cause: string): AppError {
  return new AppError('STORED_DATA_DAMAGED', { reason }, { cause: new Error(`A blob has ${cause}.`) })
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(Buffer.concat(parts))
}

/**
 * Returns the key, or throws if it could leave its folder or prefix. Keys consist of ids of the service, so another key is a bug
 * or a changed row of the database.
 */
export function checkedKey(key: string): string {
  if (key.length <= maxLength && pattern.test(key)) return key
  throw new Error('The key of a blob is not one that the service makes.')
}

const maxLength = 300
/** Names separated by slashes; none starts with a dot. */
const pattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
