import { join } from 'node:path'
import type { Blobs } from '../src/platform/ports/blobs.ts'
import { diskBlobs } from '../src/store/blobs/disk.ts'

/** Creates blob storage in a folder that tracks the keys of stored blobs. */
export function countedBlobs(folder: string): Blobs & { keys: Set<string> } {
  const disk = diskBlobs(join(folder, `${Math.random()}`))
  const keys = new Set<string>()
  return {
    keys,
    get: disk.get,
    open: disk.open,
    list: disk.list,
    async put(start, bytes) {
      const key = await disk.put(start, bytes)
      keys.add(key)
      return key
    },
    async delete(key) {
      keys.delete(key)
      await disk.delete(key)
    },
  }
}
