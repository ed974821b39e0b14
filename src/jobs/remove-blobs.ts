import type { Clock } from '../platform/clock.ts'
import { repeat } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import {
  type BlobDeletion,
  claimBlobDeletions,
  endBlobDeletions,
  findNamedBlobs,
  postponeBlobDeletion,
} from '../store/blob-names.ts'
import type { Store } from '../store/schema.ts'

export interface RemoveBlobsDeps {
  store: Store
  blobs: Blobs
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
}

const intervalMs = 30_000
const maxBatches = 50
const batchSize = 100
const maxConcurrentDeletions = 8
/** Duration of a claim. It is longer than a batch takes; after a crash, another process takes the batch over. */
const claimMs = 10 * 60_000
const firstRetryMs = 60_000
const maxRetryMs = 6 * 3600_000

export function startBlobRemover(deps: RemoveBlobsDeps): { stop(): void } {
  return repeat(() => removeUnusedBlobs(deps), intervalMs, {
    failed: (cause) => deps.log.warn({ cause }, 'unused blobs could not be looked for'),
  })
}

/** A name stays in the list until its blob is deleted, so no blob is orphaned. */
export async function removeUnusedBlobs(deps: RemoveBlobsDeps): Promise<void> {
  const failures: unknown[] = []
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const now = deps.clock.now()
    const claimed = await claimBlobDeletions(deps.store, { now, until: now + claimMs, limit: batchSize })
    if (claimed.length === 0) break
    if (!(await removeBatch(deps, claimed, failures))) break
  }
  if (failures.length > 0)
    deps.log.warn(
      { cause: failures[0], blobs: failures.length },
      'blobs could not be deleted; they are tried again',
    )
}

/** Returns false if all deletions of a group failed, because the storage is then unavailable. */
async function removeBatch(deps: RemoveBlobsDeps, claimed: BlobDeletion[], failures: unknown[]) {
  const claimedNames = claimed.map(({ name }) => name)
  const named = await findNamedBlobs(deps.store, claimedNames)
  for (let start = 0; start < claimed.length; start += maxConcurrentDeletions) {
    const group = claimed.slice(start, start + maxConcurrentDeletions)
    const removed = await Promise.all(
      group.map((deletion) =>
        removeOne(deps, deletion, named.has(deletion.name)).then(
          () => [deletion.name],
          (cause: unknown) => {
            failures.push(cause)
            return []
          },
        ),
      ),
    )
    const names = removed.flat()
    // Not durable: if the commit is lost, the blobs are deleted again.
    await deps.store.transaction((transaction) => endBlobDeletions(transaction, names), { durable: false })
    if (group.length === maxConcurrentDeletions && names.length === 0) return false
  }
  return true
}

async function removeOne(
  { store, blobs, clock }: RemoveBlobsDeps,
  { name, attempts }: BlobDeletion,
  isNamed: boolean,
): Promise<void> {
  try {
    // A named blob is still in use: a version of a page can move to another table with its blob.
    if (!isNamed) await blobs.delete(name)
  } catch (thrown) {
    const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempts, 20))
    await postponeBlobDeletion(store.query, { name, attempts: attempts + 1 }, clock.now() + delayMs)
    throw thrown
  }
}
