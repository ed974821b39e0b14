import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AdBlocker } from '../browser/ads/block-ads.ts'
import { browserHealth } from '../browser/health.ts'
import { createBrowserPool, type PoolOptions } from '../browser/pool.ts'
import { createEgress, type Egress } from '../fetch/network/egress/egress.ts'
import { createGuard } from '../fetch/network/guard.ts'
import type { AddressRule } from '../platform/address-rule.ts'
import { localChromium } from '../platform/chromium/local.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { type Log, silentLog } from '../platform/log.ts'
import type { Chromium } from '../platform/ports/chromium.ts'
import type { Settings } from './settings.ts'

interface BrowserDeps {
  egress: Egress
  clock: Clock
  log: Log
  dataDir: string
}

type BrowserBounds = Pick<
  PoolOptions,
  'places' | 'sparePlaces' | 'waitingPages' | 'pageMegabytes' | 'browserMegabytes'
>

/**
 * One shared browser for all scrapes of this process, started with the first page that needs it; and another for those on
 * the enhanced tier, if a full Chromium is installed next to a headless shell, which sites can easily detect.
 */
function openScrapeBrowser(path: string, deps: BrowserDeps, bounds: BrowserBounds) {
  const chromium = localChromium(path, deps.log)
  const life = { mostPages: 500, mostMs: 30 * 60_000, maxMegabytes: 2000, idleMs: 60_000, answerMs: 15_000 }
  const open = (used: Chromium) => createBrowserPool({ ...deps, chromium: used }, { ...life, ...bounds })
  const pool = open(chromium)
  const full = fullChromium(path)
  const enhanced = full === undefined ? pool : open(localChromium(full, deps.log))
  let adBlocker: Promise<AdBlocker> | undefined
  return {
    pool: (tier: 'basic' | 'enhanced' = 'basic') => (tier === 'enhanced' ? enhanced : pool),
    async stop() {
      await Promise.all([pool.stop(), enhanced.stop()])
    },
    health: browserHealth({ ...deps, pool, chromium, selfTest: deps.egress.selfTest }),
    adBlocker: (): Promise<AdBlocker> => {
      adBlocker ??= loadAdBlocker(deps)
      return adBlocker
    },
  }
}

export type ScrapeBrowser = ReturnType<typeof openScrapeBrowser>

/** Undefined where no Chromium is installed. */
export function createScrapeBrowser(
  { chromiumPath, browser }: Pick<Settings, 'chromiumPath' | 'browser'>,
  deps: BrowserDeps,
): ScrapeBrowser | undefined {
  return chromiumPath === undefined ? undefined : openScrapeBrowser(chromiumPath, deps, browser)
}

/** Opens one page in a separate browser, behind a guard with these exceptions: for checks of an installation. */
export async function openOnePage(
  path: string,
  page: { url: URL; allowed: AddressRule[] },
): Promise<{ version: string; text: string }> {
  const log = silentLog
  const egress = createEgress({ guard: createGuard(page.allowed), log })
  const one = { places: 1, sparePlaces: 0, waitingPages: 0, pageMegabytes: 1000, browserMegabytes: 2000 }
  const { pool, stop } = openScrapeBrowser(path, { egress, clock: systemClock, log, dataDir: '' }, one)
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

/** The full Chromium installed next to a headless shell. */
function fullChromium(path: string): string | undefined {
  const beside = path.replace(/(chromium|chrome)-headless-shell$/, '$1')
  return beside !== path && existsSync(beside) ? beside : undefined
}

/** Loaded with the first page: the engine is large, and many services never need it. */
async function loadAdBlocker(deps: { log: Log; dataDir: string }): Promise<AdBlocker> {
  const { createAdBlocker, blockListFolders: knownListFolders } = await import('../browser/ads/block-ads.ts')
  return createAdBlocker({
    listFolders: [...knownListFolders, join(deps.dataDir, 'lists')],
    cacheFile: join(deps.dataDir, 'cache', 'ad-engine'),
    log: deps.log,
  })
}
