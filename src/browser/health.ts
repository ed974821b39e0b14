import type { Clock } from '../platform/clock.ts'
import type { Chromium } from '../platform/ports/chromium.ts'
import type { BrowserPool } from './pool.ts'
import { assertProxied, type BrowserUse } from './shared-browser.ts'

export interface BrowserHealth {
  state: string
  ageSeconds: number
}

const maxSuccessAgeMs = 600_000
const maxFailureAgeMs = 10_000

/** If the last use is too old, a separate browser opens one page, so the shared one is not kept alive. */
export function browserHealth(deps: {
  pool: Pick<BrowserPool, 'lastUse'>
  chromium: Chromium
  clock: Clock
  selfTest: () => Promise<{ proxyUrl: string; url: string }>
}): () => Promise<BrowserHealth> {
  let lastProbe: BrowserUse | undefined

  async function probe(): Promise<BrowserUse> {
    let error: string | undefined
    try {
      assertProxied(await deps.chromium.readOnce(await deps.selfTest()))
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown)
    }
    lastProbe = { at: deps.clock.now(), error }
    return lastProbe
  }

  const isCurrent = ({ at, error }: BrowserUse) =>
    deps.clock.now() - at < (error === undefined ? maxSuccessAgeMs : maxFailureAgeMs)

  return async () => {
    const [latestUse] = [lastProbe, deps.pool.lastUse()]
      .filter((use) => use !== undefined)
      .sort((left, right) => right.at - left.at)
    const use = latestUse && isCurrent(latestUse) ? latestUse : await probe()
    const ageSeconds = Math.round((deps.clock.now() - use.at) / 1000)
    return { state: use.error ?? 'ok', ageSeconds }
  }
}
