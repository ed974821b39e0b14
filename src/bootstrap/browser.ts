import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AdBlocker } from '../browser/ads/block-ads.ts'
import { browserHealth } from '../browser/health.ts'
import { createBrowserPool } from '../browser/pool.ts'
import { createEgress, type Egress } from '../fetch/network/egress/egress.ts'
import { createGuard } from '../fetch/network/guard.ts'
import type { AddressRule } from '../platform/address-rule.ts'
import { createLocalChromium } from '../platform/chromium/local.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { lazy } from '../platform/functions.ts'
import { type Log, silentLog } from '../platform/log.ts'
import type { Chromium } from '../platform/ports/chromium.ts'
import type { Settings } from './settings.ts'

interface BrowserDeps {
  egress: Egress
  clock: Clock
  log: Log
  dataDir: string
}

/** The enhanced tier gets a full Chromium if one is installed: sites detect a headless shell easily. */
export function openScrapeBrowser(path: string, deps: BrowserDeps, bounds: Settings['browser']) {
  const chromium = createLocalChromium(path, deps.log)
  const limits = {
    ...bounds,
    maxPages: 500,
    maxMs: 30 * 60_000,
    maxMegabytes: 2000,
    idleMs: 60_000,
    responseTimeoutMs: 15_000,
  }
  const open = (program: Chromium) => createBrowserPool({ ...deps, chromium: program }, limits)
  const pool = open(chromium)
  const full = fullChromium(path)
  const enhanced = full === undefined ? pool : open(createLocalChromium(full, deps.log))
  return {
    pool: (tier: 'basic' | 'enhanced' = 'basic') => (tier === 'enhanced' ? enhanced : pool),
    async stop() {
      await Promise.all([pool.stop(), enhanced.stop()])
    },
    health: browserHealth({ ...deps, pool, chromium, selfTest: deps.egress.selfTest }),
    adBlocker: lazy(() => loadAdBlocker(deps)),
  }
}

export type ScrapeBrowser = ReturnType<typeof openScrapeBrowser>

/** For checks of an installation. The guard allows only the given addresses and public ones. */
export async function openOnePage(
  path: string,
  page: { url: URL; allowed: AddressRule[] },
): Promise<{ version: string; text: string }> {
  const log = silentLog
  const egress = createEgress({ guard: createGuard(page.allowed), log })
  const bounds = { permits: 1, sparePermits: 0, waitingPages: 0, pageMegabytes: 1000, browserMegabytes: 2000 }
  const deps = { egress, clock: systemClock, log, dataDir: '' }
  const { pool, stop } = openScrapeBrowser(path, deps, bounds)
  try {
    const request = { teamId: '', context: {}, signal: AbortSignal.timeout(30_000) }
    return await pool().use(request, async (context) => {
      const tab = await context.newPage()
      await tab.goto(page.url.href, { timeout: 15_000 })
      return { version: context.browser()?.version() ?? '', text: await tab.content() }
    })
  } finally {
    await stop()
    await egress.close()
  }
}

function fullChromium(path: string): string | undefined {
  const fullPath = path.replace(/(chromium|chrome)-headless-shell$/, '$1')
  return fullPath !== path && existsSync(fullPath) ? fullPath : undefined
}

/** Loads the ad blocker with the first page, because its engine is large and many services never need it. */
async function loadAdBlocker({ log, dataDir }: BrowserDeps): Promise<AdBlocker> {
  const { createAdBlocker, blockListFolders } = await import('../browser/ads/block-ads.ts')
  return createAdBlocker({
    listFolders: [...blockListFolders, join(dataDir, 'lists')],
    cacheFile: join(dataDir, 'cache', 'ad-engine'),
    log,
  })
}
