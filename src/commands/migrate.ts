import { createLog } from '../base/log.ts'
import { openStore } from '../compose/store.ts'
import type { Settings } from '../settings.ts'

/** Migrates the store to the newest schema and exits; for operators who migrate separately from a start. */
export async function migrateStore(settings: Settings): Promise<void> {
  const { store } = await openStore(settings, createLog(settings.log))
  await store.close()
  process.stdout.write('The store has the newest schema.\n')
}
