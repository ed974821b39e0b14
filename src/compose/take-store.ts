import { join } from 'node:path'
import { removeUnfinished } from '../adapters/blobs/disk.ts'
import type { SteadyClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Settings } from '../settings.ts'
import { dropDeliveryLeases } from '../store/deliveries.ts'
import { dropAllLeases } from '../store/leases.ts'
import { dropProfileLeases } from '../store/profiles.ts'
import { openStore } from './store.ts'

/** The store of a process that serves it: the clock follows its time, and leases of dead processes are released. */
export async function takeStore(settings: Settings, { clock, log }: { clock: SteadyClock; log: Log }) {
  const { store, blobs } = await openStore(settings, log)
  const unfollow = await clock.follow(store.time, (cause) =>
    log.warn({ cause }, 'the time of the store could not be read; the local clock is used'),
  )
  // No other process serves an embedded store, so all jobs that still count as running have lost their process.
  if (!store.isShared) await removeUnfinished(join(settings.store.dataDir, 'blobs'))
  if (!store.isShared)
    for (const drop of [dropAllLeases, dropDeliveryLeases, dropProfileLeases]) await drop(store.query)
  return { store, blobs, unfollow }
}
