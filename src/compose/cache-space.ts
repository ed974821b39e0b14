import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { CacheSpace } from '../features/scrape/cache.ts'
import type { Settings } from '../settings.ts'

const defaultRemoteBytes = 10 * 1024 ** 3
const maxShareOfDisk = 0.85
/** Milliseconds for which a reading of the disk is used again. */
const readingMs = 2000

/** The space for cached pages: on the disk of the data folder, unless the database and the blobs are elsewhere. */
export function openCacheSpace(
  { store, retention }: Pick<Settings, 'store' | 'retention'>,
  readDisk: typeof statfs = statfs,
): CacheSpace {
  const { dataDir, databaseUrl, bucket } = store
  const isRemote = databaseUrl !== undefined && bucket !== undefined
  const maxTeamBytes = retention.teamCacheBytes ?? (isRemote ? defaultRemoteBytes : quarterOfDisk(dataDir))
  if (isRemote) return { maxTeamBytes, isFull: async () => false }
  let reading: { at: number; isFull: Promise<boolean> } | undefined
  const read = async () => {
    const { blocks, bavail } = await readDisk(dataDir)
    return bavail < blocks * (1 - maxShareOfDisk)
  }
  return {
    maxTeamBytes,
    isFull() {
      // A disk that cannot be read is reported by readiness; pages are cached as long as writing them works.
      if (!reading || performance.now() - reading.at > readingMs)
        reading = { at: performance.now(), isFull: read().catch(() => false) }
      return reading.isFull
    },
  }
}

function quarterOfDisk(folder: string): number {
  try {
    const { blocks, bsize } = statfsSync(folder)
    return Math.floor((blocks * bsize) / 4)
  } catch {
    return defaultRemoteBytes
  }
}
