import type { Clock } from '../platform/clock.ts'
import type { Chromium } from '../platform/ports/chromium.ts'
import type { BrowserPool } from './pool.ts'
import { assertProxied, type IdleSince } from './shared-browser.ts'

export interface BrowserHealth {
  state: string
  ageSeconds: number
}

const minute = 60_000
const recent = 10 * minute
const soon = 10_000

/**
 * Whether the browser works, from its last real use. If that is too long ago, or failed, a separate browser opens one
 * page and ends: a health check neither keeps the shared browser alive nor loads the driver.
 */
export function browserHealth(deps: {
  pool: Pick<BrowserPool, 'lastUse'>
  chromium: Chromium
  clock: Clock
  selfTest: () => Promise<{ proxyUrl: string; url: string }>
}): () => Promise<BrowserHealth> {
  let lastProbe: IdleSince | undefined

  async function probe(): Promise<IdleSince> {
    const error = await failureOf(async () =>
      assertProxied(await deps.chromium.readOnce(await deps.selfTest())),
    )
    lastProbe = { at: deps.clock.now(), error }
    return lastProbe
  }

  function isCurrent({ at, error }: IdleSince): boolean {
    return deps.clock.now() - at < (error === undefined ? recent : soon)
  }

  return async () => {
    const known = latest(deps.pool.lastUse(), lastProbe)
    const use = known && isCurrent(known) ? known : await probe()
    const ageSeconds = Math.round((deps.clock.now() - use.at) / 1000)
    return { state: use.error ?? 'ok', ageSeconds }
  }
}

function latest(left: IdleSince | undefined, right: IdleSince | undefined): IdleSince | undefined {
  if (!left || !right) return left ?? right
  return left.at > right.at ? left : right
}

async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
