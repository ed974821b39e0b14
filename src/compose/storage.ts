import { opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/schema.ts'

/** Adding up the files takes the longer, the more there are. */
const believedMs = 10 * 60_000
/** Nobody waits for it longer; the next one may find it done. */
const patienceMs = 1000

/** How much room the store takes and how much is left, in bytes; null: not known. */
export function storageMeter(store: Store, { dataDir, bucket }: Settings['store']) {
  const unknown = () => null
  let blobs: { at: number; size: Promise<number | null> } | undefined
  const blobSize = () => {
    if (bucket) return null
    if (!blobs || performance.now() - blobs.at > believedMs) {
      blobs = { at: performance.now(), size: sizeOfFiles(join(dataDir, 'blobs')).catch(unknown) }
    }
    return blobs.size
  }
  return async () => {
    const [database, blobBytes, free] = await Promise.all([
      store.size().catch(unknown),
      Promise.race([blobSize(), setTimeout(patienceMs, null, { ref: false })]),
      statfs(dataDir).then(({ bavail, bsize }) => bavail * bsize, unknown),
    ])
    return { database, blobs: blobBytes, free }
  }
}

/** One file after the other: it need not be quick, and other work goes on in between. */
async function sizeOfFiles(folder: string): Promise<number> {
  let size = 0
  const files = await opendir(folder, { recursive: true }).catch(() => [])
  for await (const entry of files) {
    if (entry.isFile()) size += await sizeOf(join(entry.parentPath, entry.name))
  }
  return size
}

/** Files go away while they are counted. */
const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
