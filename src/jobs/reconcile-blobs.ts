import { createHash } from 'node:crypto'
import { parseBlobSum } from '../platform/blob-name.ts'
import { isDamaged } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { ListedBlob } from '../platform/ports/blobs.ts'
import {
  blobColumns,
  claimBlobSweep,
  deleteDeletionsAfter,
  endBlobSweep,
  findNamedBlobs,
  listNamedBlobs,
  type NamedBlob,
  recordUnusedBlobs,
  removeRowsOfBlob,
} from '../store/blob-names.ts'
import { getInstallationSecret } from '../store/secrets.ts'
import type { RemoveBlobsDeps } from './remove-blobs.ts'

export interface ReconcileDeps extends RemoveBlobsDeps {
  log: Pick<Log, 'warn' | 'error'>
}

const pageSize = 1000
/** Pages per run and folder. The next sweep continues a folder with more blobs. */
const maxPages = 5
/** Minimum age of an orphan. A blob is written before its row, and a job may retry writing the row. */
const minOrphanAgeMs = 24 * 3600_000
const intervalMs = 24 * 3600_000
/** Within this time, an operator can notice that the database is the wrong one or an old backup. */
const graceMs = 7 * 24 * 3600_000
/** Within this time, another installation that shares the storage has written its marker as well. */
const minMarkerAgeMs = 24 * 3600_000
/** Duration of a claim. After a crash, another process continues after this time. */
const claimMs = 3600_000
const maxLogged = 20

/** Folders to compare. Killed health checks and doctor runs leave blobs without rows in `health`. */
const folders = [...new Set(blobColumns.map(({ folder }) => folder)), 'health']
/** Cached data can be fetched again, so its rows are removed if the blob is missing. Other losses are logged. */
const cached: ReadonlySet<string> = new Set(['pages', 'site_files'])

/** Compares blobs and rows once a day, in one process. An orphan is deleted a week later, if it still has no row. */
export async function reconcileBlobs(deps: ReconcileDeps): Promise<void> {
  const { store } = deps
  const now = deps.clock.now()
  let isOnlyUser: boolean | undefined
  for (const folder of folders) {
    const after = await claimBlobSweep(store.query, { folder, now, until: now + claimMs })
    if (after === undefined) continue
    isOnlyUser ??= await isOnlyInstallation(deps)
    const next = isOnlyUser ? await reconcileFolder(deps, folder, after) : ''
    await endBlobSweep(store.query, { folder, after: next, nextAt: next === '' ? now + intervalMs : now })
  }
}

/**
 * Blobs of another installation look like orphans and must not be deleted. If the marker of this installation
 * is a day old and the only one, no other installation exists.
 */
async function isOnlyInstallation({ store, blobs, clock, log }: ReconcileDeps): Promise<boolean> {
  const secret = await getInstallationSecret(store.query, 'installation')
  const ownName = `installation/${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`
  const found = await blobs.list('installation', { after: '', limit: 100 })
  const marker = found.find(({ name }) => name.startsWith(`${ownName}.`))
  const others = found.map(({ name }) => name).filter((name) => name !== marker?.name)
  if (!marker)
    await blobs.put(ownName, Buffer.from('The database of this installation uses the blobs in this place.\n'))
  if (others.length === 0) return marker !== undefined && marker.modifiedAt <= clock.now() - minMarkerAgeMs
  // Recorded orphans may belong to the other installation.
  await deleteDeletionsAfter(store.query, clock.now() + claimMs)
  log.warn(
    { blobs: others.slice(0, maxLogged) },
    'blobs are not compared with the database, because another installation uses the same DATA_DIR or BLOBS_URL. Give each its own, or delete the named blobs if their installation is gone.',
  )
  return false
}

async function reconcileFolder(deps: ReconcileDeps, folder: string, start: string): Promise<string> {
  let after = start
  for (let page = 0; page < maxPages; page += 1) {
    const listed = await deps.blobs.list(folder, { after, limit: pageSize })
    const named = await listNamedBlobs(deps.store, folder, { after, limit: pageSize })
    // A page of blobs may be short because a blob was deleted during listing. Only an empty page is the end.
    const lastNames = [
      ...(listed.length === 0 ? [] : [listed.at(-1)?.name ?? '']),
      ...(named.length < pageSize ? [] : [named.at(-1)?.name ?? '']),
    ]
    const lastName = lastNames.sort()[0]
    const isInRange = ({ name }: { name: string }) => lastName === undefined || name <= lastName
    await recordOrphans(deps, folder, listed.filter(isInRange))
    await handleMissing(deps, named.filter(isInRange), listed)
    if (lastName === undefined) return ''
    after = lastName
  }
  return after
}

async function recordOrphans({ store, clock, log }: ReconcileDeps, folder: string, listed: ListedBlob[]) {
  const oldNames = listed
    .filter(({ modifiedAt }) => modifiedAt < clock.now() - minOrphanAgeMs)
    .map(({ name }) => name)
  const named = await findNamedBlobs(store, oldNames)
  const orphans = oldNames.filter((name) => !named.has(name))
  if (orphans.length === 0) return
  await recordUnusedBlobs(store.query, orphans, clock.now() + graceMs)
  log.warn(
    { folder, blobs: orphans.length },
    'blobs without a row were found; they are deleted in seven days. If the database is not the one that belongs to these blobs, stop the service before.',
  )
}

async function handleMissing(deps: ReconcileDeps, named: NamedBlob[], listed: ListedBlob[]): Promise<void> {
  const sizes = new Map(listed.map(({ name, size }) => [name, size]))
  let lost = 0
  for (const blob of named) {
    const expected = parseBlobSum(blob.name)?.size
    const size = sizes.get(blob.name)
    if (size !== undefined && (expected === undefined || expected === size)) continue
    // The blob may have been written or deleted since it was listed.
    if (size === undefined && (await exists(deps, blob.name))) continue
    if (!(await findNamedBlobs(deps.store, [blob.name])).has(blob.name)) continue
    if (cached.has(blob.table)) await removeRowsOfBlob(deps.store, blob)
    lost += 1
    if (lost > maxLogged) continue
    const { name, table } = blob
    deps.log.error(
      { blob: name, table, size },
      cached.has(table) ? 'a cached blob is lost' : 'a blob is lost',
    )
  }
  if (lost > maxLogged) deps.log.error({ blobs: lost }, 'more blobs are lost than are named here')
}

/** Returns true if the blob exists, even if it is damaged. */
async function exists({ blobs }: ReconcileDeps, name: string): Promise<boolean> {
  try {
    return (await blobs.open(name)) !== undefined
  } catch (thrown) {
    if (isDamaged(thrown)) return true
    throw thrown
  }
}
