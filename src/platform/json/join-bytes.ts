import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceBytes = 1024 * 1024

export async function joinBytes(parts: readonly Uint8Array[], size: number): Promise<Buffer> {
  if (size <= sliceBytes) return Buffer.concat(parts, size)
  return copyInSlices(parts, Buffer.from(new ArrayBuffer(size)))
}

/** Joins parts in shared memory, so that other threads read them without a copy. Small data is not shared. */
export async function joinShared(parts: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const [first] = parts
  if (size > sliceBytes) return copyInSlices(parts, Buffer.from(new SharedArrayBuffer(size)))
  return parts.length === 1 && first ? first : Buffer.concat(parts, size)
}

export async function shareBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : joinShared([bytes], bytes.length)
}

async function copyInSlices(parts: readonly Uint8Array[], target: Buffer): Promise<Buffer> {
  let offset = 0
  let bytesSinceYield = 0
  for (const part of parts) {
    for (let start = 0; start < part.length; start += sliceBytes) {
      const slice = part.subarray(start, start + sliceBytes)
      target.set(slice, offset)
      offset += slice.length
      bytesSinceYield += slice.length
      if (bytesSinceYield < sliceBytes) continue
      bytesSinceYield = 0
      await nextTurn()
    }
  }
  return target
}
