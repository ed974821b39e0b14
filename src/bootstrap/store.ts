import { opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SteadyClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { diskBlobs, removeUnfinished } from '../store/blobs/disk.ts'
import { sqliteDatabase } from '../store/database/sqlite.ts'
import { dropDeliveryLeases } from '../store/deliveries.ts'
import { dropAllLeases } from '../store/jobs/leases.ts'
import { migrate } from '../store/migrate.ts'
import { dropProfileLeases } from '../store/profiles.ts'
import type { Store, Tables } from '../store/schema.ts'
import type { Settings } from './settings.ts'

/** Cache time of the measured size: measuring takes longer the more files there are. */
const sizeTtlMs = 10 * 60_000
const maxWaitMs = 1000

export function createStorageMeter(store: Store, { dataDir, bucket }: Settings['store']) {
  const unknown = () => null
  const blobSize = reuse(() => sizeOfFiles(join(dataDir, 'blobs')).catch(unknown), sizeTtlMs)
  return async () => {
    const [database, blobBytes, free] = await Promise.all([
      store.size().catch(unknown),
      Promise.race([bucket ? null : blobSize(), setTimeout(maxWaitMs, null, { ref: false })]),
      statfs(dataDir).then(({ bavail, bsize }) => bavail * bsize, unknown),
    ])
    return { database, blobs: blobBytes, free }
  }
}

/** Reuses the result of the last call if it is young enough, because each call is expensive. */
export function reuse<Result>(read: () => Promise<Result>, ttlMs: number): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > ttlMs) last = { at: now, result: read() }
    return last.result
  }
}

/** Sums the file sizes, one file at a time, so that other work can run in between. */
async function sizeOfFiles(folder: string): Promise<number> {
  let size = 0
  const files = await opendir(folder, { recursive: true }).catch(() => [])
  for await (const entry of files) {
    const stats = entry.isFile() && (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))
    if (stats) size += stats.size
  }
  return size
}

export async function openStore(settings: Settings, log: Log): Promise<{ store: Store; blobs: Blobs }> {
  const { dataDir, databaseUrl, bucket } = settings.store
  const store =
    databaseUrl === undefined
      ? sqliteDatabase<Tables>(join(dataDir, 'winnow.sqlite'))
      : await openPostgres(databaseUrl, log)
  const blobs = bucket
    ? (await import('../store/blobs/s3.ts')).s3Blobs(bucket)
    : diskBlobs(join(dataDir, 'blobs'))
  if (databaseUrl === undefined) await migrate(store)
  return { store, blobs }
}

/** The driver is loaded on demand, so that a service with SQLite does not keep it in memory. */
async function openPostgres(url: string, log: Log): Promise<Store> {
  const { postgresDatabase } = await import('../store/database/postgres.ts')
  // No query timeout, because a change of a large table may take long.
  const migrationDatabase = postgresDatabase<Tables>(url, log, { maxQueryMs: 0 })
  await migrate(migrationDatabase).finally(() => migrationDatabase.close())
  return postgresDatabase<Tables>(url, log)
}

export async function acquireStore(settings: Settings, { clock, log }: { clock: SteadyClock; log: Log }) {
  const { store, blobs } = await openStore(settings, log)
  const unfollow = await clock.follow(store.time, (cause) =>
    log.warn({ cause }, 'the time of the store could not be read; the local clock is used'),
  )
  // No other process serves an embedded store, so all jobs still marked as running have lost their process.
  if (!store.isShared) {
    await removeUnfinished(join(settings.store.dataDir, 'blobs'))
    for (const drop of [dropAllLeases, dropDeliveryLeases, dropProfileLeases]) await drop(store.query)
  }
  return { store, blobs, unfollow }
}

const checkIntervalMs = 10_000
/** Idle time before collection, because work that starts earlier would need the memory again. */
const idleAfterMs = 30_000

const collection = { type: 'major', execution: 'async', flavor: 'last-resort' } as const

/** An idle heap is not collected automatically and keeps its peak size. */
export function collectWhenIdle(isBusy: () => boolean): () => void {
  setFlagsFromString('--expose-gc')
  const collect: (options: typeof collection) => Promise<void> = runInNewContext('gc')
  // Startup leaves as much garbage as work does.
  let lastBusyAt: number | undefined = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (isBusy()) lastBusyAt = now
    if (lastBusyAt === undefined || now - lastBusyAt < idleAfterMs) return
    lastBusyAt = undefined
    void collect(collection)
  }, checkIntervalMs).unref()
  return () => clearInterval(timer)
}
