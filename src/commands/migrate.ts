import { createLog } from '../base/log.ts'
import { openStore } from '../compose/store.ts'
import type { Settings } from '../settings.ts'

/** Brings the store to the newest shape and ends; for operators who do it apart from a start. */
export async function migrateStore(settings: Settings): Promise<void> {
  const { store } = await openStore(settings, createLog(settings.log))
  await store.close()
  process.stdout.write('The store has the newest shape.\n')
}
