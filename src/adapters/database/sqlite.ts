import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Database } from '../../ports/database.ts'
import { sqliteDriver } from './sqlite-driver.ts'
import { syncedLog } from './sqlite-log.ts'

/** Embedded: the SQLite that is built into Node. One process serves it; commands may look in beside it. */
export function sqliteDatabase<Tables>(path: string): Database<Tables> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(path)
  // FULL: a write outside a transaction is on the disk before it is acknowledged, also in WAL mode; transactions are
  // brought there by the log. That is folded back into the file every 16 MB instead of every 4, which no reader notices
  // and every writer does.
  connection.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma wal_autocheckpoint = 4000; pragma cache_size = -16000',
  )
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => sqliteDriver(connection),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const log = syncedLog(`${path}-wal`)
  const wakes = new EventEmitter().setMaxListeners(0)
  return {
    dialect: 'sqlite',
    isShared: false,
    query,
    async transaction(work, options = { durable: true }) {
      const result = await query.transaction().setIsolationLevel('read uncommitted').execute(work)
      if (options.durable) await log.sync()
      else log.syncSoon()
      return result
    },
    // One connection writes, one transaction at a time: no row is ever held by another.
    skipLocked: (select) => select,
    lock: (select) => select,
    lockName: async () => {},
    tryLockName: async () => true,
    listen(channel, heard) {
      wakes.on(channel, heard)
      return () => void wakes.off(channel, heard)
    },
    notify: (channel, message) => void setImmediate(() => wakes.emit(channel, message)),
    time: async () => Date.now(),
    async close() {
      await log.stop()
      await query.destroy()
    },
  }
}

/** SQLite undoes changes of tables with their transaction; a migration that is cut off must leave nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
