import { statfs } from 'node:fs/promises'
import type { Store } from '../store/schema.ts'

/** How much room the store takes and how much is left, in bytes; null: not known. */
export async function measureStorage(store: Store, dataDir: string) {
  const unknown = () => null
  const [database, free] = await Promise.all([
    store.size().catch(unknown),
    statfs(dataDir).then(({ bavail, bsize }) => bavail * bsize, unknown),
  ])
  return { database, free }
}
