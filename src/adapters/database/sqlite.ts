import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { toDiskFailure } from '../../base/store-unavailable.ts'
import type { Database } from '../../ports/database.ts'
import { checkpoints } from './sqlite-checkpoints.ts'
import { sqliteDriver } from './sqlite-driver.ts'
import { syncedLog } from './sqlite-log.ts'

/** Embedded: the SQLite that is built into Node. One process serves it; commands may open it at the same time. */
export function sqliteDatabase<Tables>(path: string): Database<Tables> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(path)
  // FULL: a write outside a transaction is on disk before it is acknowledged, also in WAL mode; `sqlite-log.ts` syncs
  // transactions. Another thread runs the checkpoints; this connection only does so after 128 MB, if the
  // thread is too slow. Deleted rows are overwritten, so the file does not keep what a deleted team had.
  connection.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma wal_autocheckpoint = 32000; pragma cache_size = -16000; pragma secure_delete = on',
  )
  const folding = checkpoints(path)
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => sqliteDriver(connection, folding),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const log = syncedLog(`${path}-wal`)
  const folder = { part: 'database', name: 'DATA_DIR', path: dirname(path) } as const
  const failed = (cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw toDiskFailure(code, folder, cause)
  }
  const wakes = new EventEmitter().setMaxListeners(0)
  return {
    dialect: 'sqlite',
    isShared: false,
    query,
    async transaction(work, options = { durable: true }) {
      const result = await query.transaction().setIsolationLevel('read uncommitted').execute(work)
      if (options.durable) await log.sync().catch(failed)
      else log.syncSoon()
      return result
    },
    // One connection writes, one transaction at a time: no other transaction ever locks a row.
    skipLocked: (select) => select,
    lock: (select) => select,
    lockName: async () => {},
    tryLockName: async () => true,
    listen(channel, heard) {
      wakes.on(channel, heard)
      return () => void wakes.off(channel, heard)
    },
    notify: (channel, message) => void setImmediate(() => wakes.emit(channel, message)),
    async subscribe(topic, heard) {
      wakes.on(`topic ${topic}`, heard)
      return () => void wakes.off(`topic ${topic}`, heard)
    },
    publish(topic, message) {
      if (wakes.listenerCount(`topic ${topic}`) === 0) return
      const told = message()
      setImmediate(() => wakes.emit(`topic ${topic}`, told))
    },
    time: async () => Date.now(),
    size: () => sizeOf([path, `${path}-wal`]),
    async close() {
      await log.stop()
      await folding.stop()
      await query.destroy()
    },
  }
}

async function sizeOf(paths: string[]): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** SQLite rolls back schema changes with their transaction; an interrupted migration must leave nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
