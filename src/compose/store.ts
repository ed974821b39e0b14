import { join } from 'node:path'
import { diskBlobs } from '../adapters/blobs/disk.ts'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import type { Log } from '../base/log.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Settings } from '../settings.ts'
import { migrate } from '../store/migrate.ts'
import type { Store, Tables } from '../store/schema.ts'

/** Only the store and the blobs: for commands that run next to a service. */
export async function openStore(settings: Settings, log: Log): Promise<{ store: Store; blobs: Blobs }> {
  const { dataDir, databaseUrl, bucket } = settings.store
  const store =
    databaseUrl === undefined
      ? sqliteDatabase<Tables>(join(dataDir, 'winnow.sqlite'))
      : await openPostgres(databaseUrl, log)
  const blobs = bucket
    ? (await import('../adapters/blobs/s3.ts')).s3Blobs(bucket)
    : diskBlobs(join(dataDir, 'blobs'))
  if (databaseUrl === undefined) await migrate(store)
  return { store, blobs }
}

/** Loaded only when used: a service on one machine should not keep it in memory. */
async function openPostgres(url: string, log: Log): Promise<Store> {
  const { postgresDatabase } = await import('../adapters/database/postgres.ts')
  // No timeout: a change of a large table may take long.
  const patient = postgresDatabase<Tables>(url, log, { mostMsOfQuery: 0 })
  await migrate(patient).finally(() => patient.close())
  return postgresDatabase<Tables>(url, log)
}
