import { createHash } from 'node:crypto'
import { createTimeSlice } from './time-slice.ts'

export interface BlobSum {
  size: number
  sha256: string
}

/** Tables store the name, so they need no columns for size and hash. Older versions read the blob by the same name. */
export function blobName(start: string, { size, sha256 }: BlobSum): string {
  return `${start}.${size}.${sha256}`
}

const pattern = /\.(\d{1,15})\.([0-9a-f]{64})$/

/** Returns size and hash from a blob name; undefined for a blob that a version without hashes stored. */
export function parseBlobSum(name: string): BlobSum | undefined {
  const [, size, sha256] = pattern.exec(name) ?? []
  return size === undefined || sha256 === undefined ? undefined : { size: Number(size), sha256 }
}

export function createBlobSum() {
  const hash = createHash('sha256')
  let size = 0
  return {
    add(bytes: Uint8Array): void {
      hash.update(bytes)
      size += bytes.length
    },
    end: (): BlobSum => ({ size, sha256: hash.digest('hex') }),
  }
}

/** Size of the slices between which the event loop may run, because hashing half a gigabyte takes a second. */
const sliceBytes = 1024 * 1024

export async function computeBlobSum(bytes: Uint8Array): Promise<BlobSum> {
  const sum = createBlobSum()
  const timeSlice = createTimeSlice()
  for (let offset = 0; offset < bytes.length; offset += sliceBytes) {
    sum.add(bytes.subarray(offset, offset + sliceBytes))
    if (timeSlice.isDue()) await timeSlice.take()
  }
  return sum.end()
}
