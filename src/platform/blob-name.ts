import { createHash } from 'node:crypto'
import { createTimeSlice } from './time-slice.ts'

/** Size and SHA-256 (hex) of the bytes of a blob. */
export interface BlobSum {
  size: number
  sha256: string
}

/**
 * Appends size and hash to the start of a name. They are stored wherever the name is stored, so no table needs columns for
 * them, and a process of an older version reads the blob by the same name.
 */
export function blobName(start: string, { size, sha256 }: BlobSum): string {
  return `${start}.${size}.${sha256}`
}

const pattern = /\.(\d{1,15})\.([0-9a-f]{64})$/

/** Returns undefined for a blob that a version without hashes stored. */
export function sumInName(name: string): BlobSum | undefined {
  const [, size, sha256] = pattern.exec(name) ?? []
  return size === undefined || sha256 === undefined ? undefined : { size: Number(size), sha256 }
}

export function countSum() {
  const hash = createHash('sha256')
  let size = 0
  return {
    add(bytes: Uint8Array): void {
      hash.update(bytes)
      size += bytes.length
    },
    /** Size and hash of all added bytes; nothing can be added afterwards. */
    end: (): BlobSum => ({ size, sha256: hash.digest('hex') }),
  }
}

/** Hashing half a gigabyte takes a second, so the event loop gets its turn between slices of this size. */
const sliceBytes = 1024 * 1024

export async function sumOf(bytes: Uint8Array): Promise<BlobSum> {
  const sum = countSum()
  const pauses = createTimeSlice()
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    sum.add(bytes.subarray(at, at + sliceBytes))
    if (pauses.isDue()) await pauses.take()
  }
  return sum.end()
}
