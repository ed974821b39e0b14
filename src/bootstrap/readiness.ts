import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserHealth } from '../browser/health.ts'
import type { Runner } from '../jobs/runner.ts'
import { type Clock, findClockSkew } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { freeTemporaryBytes, operatorTemporaryFolder } from '../platform/temporary-files.ts'
import { takeFromWindow } from '../store/rates.ts'
import type { Store } from '../store/schema.ts'
import { reuse } from './store.ts'

/** Milliseconds for which a result is reused: probes are frequent, and each check writes data. */
const resultTtlMs = 1000
const clockCheckTimeoutMs = 5000

export interface Readiness {
  /** `ok` for a part that works, else the reason. */
  parts: Record<string, string>
  ages: Record<string, number>
  warnings: Record<string, string>
}

export function createReadinessCheck(deps: {
  store: Store
  blobs: Blobs
  clock: Clock
  /** A getter, because the runner starts later. */
  runner: () => Runner | undefined
  log: Log
  browser: (() => Promise<BrowserHealth>) | undefined
  dataDir: string
  search: { indexing: { unindexed(): number } }
}) {
  let isSkewed = false
  return reuse(runChecks, resultTtlMs)

  async function runChecks(): Promise<Readiness> {
    const [store, blobs, queue, disk, temporary, browser, skew] = await Promise.all([
      getOutcome(() => takeFromWindow(deps.store.query, { teamId: '', lane: 'health', minute: 0 }, 1)),
      getOutcome(() => checkBlobs(deps.blobs)),
      getOutcome(async () => deps.runner()?.check()),
      getOutcome(() => checkDisk(deps.dataDir)),
      getOutcome(checkTemporaryFolder),
      deps.browser?.(),
      clockSkew(),
    ])
    const parts = { store, blobs, queue, disk, temporary, ...(browser ? { browser: browser.state } : {}) }
    const unindexed = deps.search.indexing.unindexed()
    const search = `${numberFormat.format(unindexed)} stored pages and images are being indexed again and cannot be found by search yet`
    const warnings = {
      ...(skew === undefined ? {} : { clock: skew }),
      ...(unindexed === 0 ? {} : { search }),
    }
    const failed = Object.entries(parts).filter(([, state]) => state !== 'ok')
    if (failed.length > 0) deps.log.warn(Object.fromEntries(failed), 'not ready')
    return { parts, ages: browser ? { browser: browser.ageSeconds } : {}, warnings }
  }

  /** Checks the clock. The part `store` reports a store whose time cannot be read. */
  async function clockSkew(): Promise<string | undefined> {
    const read = findClockSkew(deps.clock, deps.store).catch(() => undefined)
    const skew = await Promise.race([read, sleep(clockCheckTimeoutMs, undefined, { ref: false })])
    // Logged once per skew: it may last for hours, and probes are frequent.
    if (skew !== undefined && !isSkewed) deps.log.warn({ clock: skew }, 'a clock is skewed')
    isSkewed = skew !== undefined
    return skew
  }
}

export async function checkBlobs(blobs: Blobs): Promise<void> {
  const key = await blobs.put(`health/${newId()}`, Buffer.from('ok'))
  const bytes = await blobs.get(key)
  await blobs.delete(key)
  if (Buffer.from(bytes ?? []).toString() !== 'ok')
    throw new Error('the data read differs from the data written')
}

const numberFormat = new Intl.NumberFormat('en')

/** Minimum free space: below it, the next large page may not fit in DATA_DIR, and uploads and browsers soon fail. */
const minMegabytes = 64

async function checkDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeMegabytes = Math.floor((bavail * bsize) / 1024 / 1024)
  if (freeMegabytes < minMegabytes)
    throw new Error(
      `the disk of DATA_DIR (${folder}) is full: ${freeMegabytes} MB are left, ${minMegabytes} MB are needed`,
    )
}

async function checkTemporaryFolder(): Promise<void> {
  const freeMegabytes = Math.floor((await freeTemporaryBytes()) / 1024 / 1024)
  if (freeMegabytes < minMegabytes)
    throw new Error(
      `the temporary folder is almost full: only ${freeMegabytes} MB are left in ${operatorTemporaryFolder()}; free space in it or set TMPDIR to a larger one`,
    )
}

async function getOutcome(check: () => Promise<unknown>): Promise<string> {
  const timeout = new Promise<string>((resolve) => setTimeout(resolve, 5000, 'no answer within 5 s').unref())
  const result = check().then(
    () => 'ok',
    (thrown) => (thrown instanceof Error ? thrown.message || thrown.name : String(thrown)),
  )
  return Promise.race([result, timeout])
}
