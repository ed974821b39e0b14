import {
  type BlobSum,
  blobName,
  computeBlobSum,
  createBlobSum,
  parseBlobSum,
} from '../../platform/blob-name.ts'
import { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import type { Blobs, OpenBlob } from '../../platform/ports/blobs.ts'

type Bytes = Parameters<Blobs['put']>[1]

/** `write` gets the name after all bytes have been read, because it contains their hash. */
export interface UncheckedBlobs extends Omit<Blobs, 'put' | 'open'> {
  open(name: string): Promise<OpenBlob | undefined>
  write(name: () => string, bytes: Bytes): Promise<void>
}

/** Adds checks to an adapter, so that bytes which do not match their name never reach a caller. */
export function checkedBlobs(blobs: UncheckedBlobs): Blobs {
  return {
    async put(start, bytes) {
      if (bytes instanceof Uint8Array) {
        const name = blobName(start, await computeBlobSum(bytes))
        await blobs.write(() => name, bytes)
        return name
      }
      const sum = createBlobSum()
      const getName = lazy(() => blobName(start, sum.end()))
      await blobs.write(getName, addToSum(bytes, sum))
      return getName()
    },
    async get(name) {
      const bytes = await blobs.get(name)
      const expected = parseBlobSum(name)
      if (!bytes || !expected) return bytes
      throwIfDifferent(expected, { size: bytes.length })
      throwIfDifferent(expected, await computeBlobSum(bytes))
      return bytes
    },
    async open(name, { isCheckedFirst = false } = {}) {
      const blob = await blobs.open(name)
      const expected = parseBlobSum(name)
      if (!blob || !expected) return blob
      throwIfDifferent(expected, { size: blob.size })
      const { size } = blob
      if (size <= maxHeldBytes) {
        const bytes = await readAll(checkedChunks(blob, expected))
        return { size, chunks: () => [bytes] }
      }
      const chunks = () => checkedChunks(blob, expected)
      // Reads the blob twice instead of holding it, because a slow reader would keep the bytes in memory.
      if (isCheckedFirst || size <= maxCheckedBytes) for await (const _ of chunks());
      return { size, chunks }
    },
    delete: (name) => blobs.delete(name),
    list: (folder, page) => blobs.list(folder, page),
  }
}

/** Maximum size at which the hash is checked before the first byte is returned. */
const maxCheckedBytes = 8 * 1024 * 1024
/** Maximum size of a blob that is read once and held in memory; a range of a bucket takes as much. */
const maxHeldBytes = 1024 * 1024

async function* addToSum(
  bytes: AsyncIterable<Uint8Array>,
  sum: Pick<ReturnType<typeof createBlobSum>, 'add'>,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    sum.add(part)
    yield part
  }
}

/** Holds back the last chunk until the hash is checked, so that a damaged blob is never complete. */
async function* checkedChunks(blob: OpenBlob, expected: BlobSum): AsyncGenerator<Uint8Array> {
  const sum = createBlobSum()
  let last: Uint8Array | undefined
  for await (const chunk of blob.chunks()) {
    sum.add(chunk)
    if (last) yield last
    last = chunk
  }
  throwIfDifferent(expected, sum.end())
  if (last) yield last
}

function throwIfDifferent(expected: BlobSum, actual: { size: number; sha256?: string }): void {
  if (actual.size !== expected.size)
    throw createDamageError('size', `${actual.size} bytes instead of ${expected.size}`)
  if (actual.sha256 !== undefined && actual.sha256 !== expected.sha256)
    throw createDamageError('hash', `${actual.sha256} instead of ${expected.sha256}`)
}

function createDamageError(reason: 'size' | 'hash', cause: string): AppError {
  return new AppError('STORED_DATA_DAMAGED', { reason }, { cause: new Error(`A blob has ${cause}.`) })
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(Buffer.concat(parts))
}

/** Any other key could leave its folder or prefix: a bug, or a changed row of the database. */
export function checkedKey(key: string): string {
  if (key.length <= maxKeyLength && keyPattern.test(key)) return key
  throw new Error('The key of a blob is not one that the service makes.')
}

const maxKeyLength = 300
/** Names separated by slashes; none starts with a dot. */
const keyPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
