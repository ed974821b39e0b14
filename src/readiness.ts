import { statfs } from 'node:fs/promises'
import { newId } from './base/ids.ts'
import type { Log } from './base/log.ts'
import type { BrowserHealth } from './browser/health.ts'
import type { Runner } from './jobs/runner.ts'
import type { Blobs } from './ports/blobs.ts'
import { takeFromWindow } from './store/rates.ts'
import type { Store } from './store/schema.ts'

/** How long a result is reused: probes are frequent, and each check writes data. */
const fresh = 1000

export interface Readiness {
  /** `ok` for a part that works, otherwise the reason. */
  parts: Record<string, string>
  /** Seconds since a part was last used, if it was not used just now. */
  ages: Record<string, number>
}

/** Exercises what the service depends on. */
export function readiness(needs: {
  store: Store
  blobs: Blobs
  /** Asked when it is needed: the runner is started later than this is made. */
  runner: () => Runner | undefined
  log: Log
  /** Undefined without a browser: the service works without one and reports that elsewhere. */
  browser: (() => Promise<BrowserHealth>) | undefined
  /** The folder that this process writes to. */
  dataDir: string
}): () => Promise<Readiness> {
  let last: { at: number; answer: Promise<Readiness> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > fresh) last = { at: now, answer: exercise() }
    return last.answer
  }

  async function exercise(): Promise<Readiness> {
    const [store, blobs, queue, disk, browser] = await Promise.all([
      outcome(() => takeFromWindow(needs.store.query, { teamId: '', lane: 'health', minute: 0 }, 1)),
      outcome(exerciseBlobs),
      outcome(async () => needs.runner()?.check()),
      outcome(() => checkDisk(needs.dataDir)),
      needs.browser?.(),
    ])
    const parts = { store, blobs, queue, disk, ...(browser ? { browser: browser.state } : {}) }
    const failed = Object.entries(parts).filter(([, state]) => state !== 'ok')
    if (failed.length > 0) needs.log.warn(Object.fromEntries(failed), 'not ready')
    return {
      parts,
      ages: browser ? { browser: browser.ageSeconds } : {},
    }
  }

  async function exerciseBlobs(): Promise<void> {
    const key = `health/${newId()}`
    await needs.blobs.put(key, Buffer.from('ok'))
    const bytes = await needs.blobs.get(key)
    await needs.blobs.delete(key)
    if (Buffer.from(bytes ?? []).toString() !== 'ok')
      throw new Error('the data read differs from the data written')
  }
}

/** Below this, the next large page may not fit. */
const leastMegabytes = 64

async function checkDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const left = Math.floor((bavail * bsize) / 1024 / 1024)
  if (left < leastMegabytes)
    throw new Error(`the disk of DATA_DIR is full: ${left} MB are left, ${leastMegabytes} MB are needed`)
}

async function outcome(part: () => Promise<unknown>): Promise<string> {
  const tooLong = new Promise<string>((resolve) => setTimeout(resolve, 5000, 'no answer within 5 s').unref())
  const tried = part().then(
    () => 'ok',
    (thrown) => (thrown instanceof Error ? thrown.message || thrown.name : String(thrown)),
  )
  return Promise.race([tried, tooLong])
}
