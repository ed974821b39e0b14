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
const maxAtOnce = 8
/** Longer than a batch takes; after the end of its process another one takes it over. */
const claimMs = 10 * 60_000
const firstRetryMs = 60_000
const maxRetryMs = 6 * 3600_000

/** Deletes blobs soon after the last row that named them. */
export function startBlobRemover(deps: RemoveBlobsDeps): { stop(): void } {
  return repeat(() => removeUnusedBlobs(deps), intervalMs, {
    failed: (cause) => deps.log.warn({ cause }, 'unused blobs could not be looked for'),
  })
}

/**
 * Deletes the blobs that no row names any more. A name is removed from the list after its blob was deleted, so a blob is
 * never lost: a failed deletion is tried again, later each time.
 */
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

/** Returns false if a whole group failed: then the disk or the bucket is away, and the rest would fail too. */
async function removeBatch(
  deps: RemoveBlobsDeps,
  claimed: BlobDeletion[],
  failures: unknown[],
): Promise<boolean> {
  const named = await findNamedBlobs(
    deps.store,
    claimed.map(({ name }) => name),
  )
  for (let at = 0; at < claimed.length; at += maxAtOnce) {
    const group = claimed.slice(at, at + maxAtOnce)
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
    // Nothing is lost with this commit: what was deleted is deleted again.
    await deps.store.transaction((transaction) => endBlobDeletions(transaction, names), { durable: false })
    if (group.length === maxAtOnce && names.length === 0) return false
  }
  return true
}

async function removeOne(
  { store, blobs, clock }: RemoveBlobsDeps,
  { name, attempts }: BlobDeletion,
  isNamed: boolean,
): Promise<void> {
  try {
    // A version of a page moves from one table to another and keeps its blob.
    if (!isNamed) await blobs.delete(name)
  } catch (thrown) {
    const pause = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempts, 20))
    await postponeBlobDeletion(store.query, { name, attempts: attempts + 1 }, clock.now() + pause)
    throw thrown
  }
}
