import { createHash } from 'node:crypto'
import { sumInName } from '../platform/blob-name.ts'
import type { Clock } from '../platform/clock.ts'
import { isDamaged } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs, ListedBlob } from '../platform/ports/blobs.ts'
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
import type { Store } from '../store/schema.ts'
import { installationSecret } from '../store/secrets.ts'

export interface ReconcileDeps {
  store: Store
  blobs: Blobs
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn' | 'error'>
}

const pageSize = 1000
/** A folder with more blobs is continued by the next sweep. */
const maxPages = 5
/** A blob is written before its row, and a job may keep trying to write the row. */
const safeAgeMs = 24 * 3600_000
const betweenMs = 24 * 3600_000
/** So long an operator can notice that the database is not the one of these blobs: restored from an old backup, or a wrong one. */
const graceMs = 7 * 24 * 3600_000
/** An installation that shares the place has marked it too by then. */
const markedForMs = 24 * 3600_000
/** A process that ended in the middle is replaced after this time. */
const claimMs = 3600_000
const maxLogged = 20

/** Readiness and the doctor write blobs that no row names, and remove them unless they are killed. */
const folders = [...new Set(blobColumns.map(({ folder }) => folder)), 'health']
/** What such a row caches can be fetched again, so the row is removed. Others are reported, and reading them is an error. */
const cached: ReadonlySet<string> = new Set(['pages', 'site_files'])

/**
 * Compares the names of all blobs with the rows, once a day and by one process: a blob of more than a day without a row is deleted
 * a week later, if it still has none, and a row without its blob is removed or reported. Both are read in the order of names, so a run is bounded and the
 * next one continues it.
 */
export async function reconcileBlobs(deps: ReconcileDeps): Promise<void> {
  const { store } = deps
  const now = deps.clock.now()
  let isAlone: boolean | undefined
  for (const folder of folders) {
    const after = await claimBlobSweep(store.query, { folder, now, until: now + claimMs })
    if (after === undefined) continue
    isAlone ??= await isOnlyInstallation(deps)
    const next = isAlone ? await reconcileFolder(deps, folder, after) : ''
    await endBlobSweep(store.query, { folder, after: next, nextAt: next === '' ? now + betweenMs : now })
  }
}

/**
 * Returns true if this installation has marked the folder or bucket as its own for a day, and no other one has. The blobs of
 * another installation look like blobs without a row, and must not be deleted.
 */
async function isOnlyInstallation({ store, blobs, clock, log }: ReconcileDeps): Promise<boolean> {
  const secret = await installationSecret(store.query, 'installation')
  const own = `installation/${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`
  const found = await blobs.list('installation', { after: '', limit: 100 })
  const mark = found.find(({ name }) => name.startsWith(`${own}.`))
  const others = found.map(({ name }) => name).filter((name) => name !== mark?.name)
  if (!mark)
    await blobs.put(own, Buffer.from('The database of this installation uses the blobs in this place.\n'))
  if (others.length === 0) return mark !== undefined && mark.modifiedAt <= clock.now() - markedForMs
  // What was found without a row may be theirs.
  await deleteDeletionsAfter(store.query, clock.now() + claimMs)
  log.warn(
    { blobs: others.slice(0, maxLogged) },
    'blobs are not compared with the database, because another installation uses the same DATA_DIR or BLOBS_URL. Give each its own, or delete the named blobs if their installation is gone.',
  )
  return false
}

/** Returns the last compared name, or an empty text at the end. */
async function reconcileFolder(deps: ReconcileDeps, folder: string, start: string): Promise<string> {
  let after = start
  for (let page = 0; page < maxPages; page += 1) {
    const listed = await deps.blobs.list(folder, { after, limit: pageSize })
    const named = await listNamedBlobs(deps.store, folder, { after, limit: pageSize })
    // A list of blobs may be short, because one was deleted while it was made; only an empty one is the end.
    const ends = [
      ...(listed.length === 0 ? [] : [listed.at(-1)?.name ?? '']),
      ...(named.length < pageSize ? [] : [named.at(-1)?.name ?? '']),
    ]
    const end = ends.sort()[0]
    const isIn = ({ name }: { name: string }) => end === undefined || name <= end
    await noteOrphans(deps, folder, listed.filter(isIn))
    await handleMissing(deps, named.filter(isIn), listed)
    if (end === undefined) return ''
    after = end
  }
  return after
}

async function noteOrphans({ store, clock, log }: ReconcileDeps, folder: string, listed: ListedBlob[]) {
  const old = listed.filter(({ modifiedAt }) => modifiedAt < clock.now() - safeAgeMs).map(({ name }) => name)
  const named = await findNamedBlobs(store, old)
  const orphans = old.filter((name) => !named.has(name))
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
    const expected = sumInName(blob.name)?.size
    const size = sizes.get(blob.name)
    if (size !== undefined && (expected === undefined || expected === size)) continue
    // It may have been written or deleted since it was listed.
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

/** Returns true for a damaged blob too. */
async function exists({ blobs }: ReconcileDeps, name: string): Promise<boolean> {
  try {
    return (await blobs.open(name)) !== undefined
  } catch (thrown) {
    if (isDamaged(thrown)) return true
    throw thrown
  }
}
