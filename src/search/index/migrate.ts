import { Migrator } from 'kysely/migration'
import type { StoredMigration } from '../../store/migrate.ts'
import { start } from './migrations/0001-start.ts'
import { vectors } from './migrations/0002-vectors.ts'
import { fullText } from './migrations/0003-full-text.ts'
import { cheaperWrites } from './migrations/0004-cheaper-writes.ts'
import type { SearchStore } from './tables.ts'

export const indexMigrations = (dialect: SearchStore['dialect']): Record<string, StoredMigration> => ({
  '0001-start': start(dialect),
  '0002-vectors': vectors,
  '0003-full-text': fullText(dialect),
  '0004-cheaper-writes': cheaperWrites(dialect),
})

/** Migrates the index to the newest schema. Its migration table is separate from that of the store. */
export async function migrateIndex(store: SearchStore): Promise<void> {
  const migrator = new Migrator({
    db: store.query,
    provider: { getMigrations: async () => indexMigrations(store.dialect) },
    migrationTableName: 'search_migrations',
    migrationLockTableName: 'search_migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The search index could not be brought to the newest shape.', { cause: error })
}
