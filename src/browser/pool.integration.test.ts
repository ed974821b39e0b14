import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../../test/site/site.ts'
import { createEgress, type Egress } from '../fetch/network/egress/egress.ts'
import { createGuard } from '../fetch/network/guard.ts'
import { readAddressRule } from '../platform/address-rule.ts'
import { createLocalChromium } from '../platform/chromium/local.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import type { Chromium, LaunchedBrowser } from '../platform/ports/chromium.ts'
import { createBrowserPool, type PoolOptions } from './pool.ts'

const defaultOptions = {
  ...{ permits: 4, sparePermits: 0, waitingPages: 8, pageMegabytes: 1000, browserMegabytes: 3000 },
  ...{ maxPages: 100, maxMs: 1e6, maxMegabytes: 4000, idleMs: 60_000, responseTimeoutMs: 10_000 },
}

const chromiumPath =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

describe.skipIf(chromiumPath === undefined)('createBrowserPool', () => {
  let site: Site
  let egress: Egress
  beforeAll(async () => {
    site = await startSite()
    egress = createEgress({ guard: createGuard([readAddressRule('127.0.0.1') ?? []].flat()), log: silentLog })
  })
  afterAll(async () => {
    await egress.close()
    await site.stop()
  })

  interface SceneOptions extends Partial<PoolOptions> {
    launchedFirst?: (launched: LaunchedBrowser) => void
  }

  function startPool({ launchedFirst, ...options }: SceneOptions = {}) {
    const launched: LaunchedBrowser[] = []
    const local = createLocalChromium(chromiumPath ?? '', silentLog)
    const chromium: Chromium = {
      ...local,
      async launch(proxyUrl) {
        const launchedBrowser = await local.launch(proxyUrl)
        if (launched.push(launchedBrowser) === 1) launchedFirst?.(launchedBrowser)
        return launchedBrowser
      },
    }
    const pool = createBrowserPool(
      { chromium, egress, clock: systemClock, log: silentLog },
      { ...defaultOptions, ...options },
    )
    const openPage = (number: number, ms = 0) =>
      pool.use({ teamId: 'team', context: {}, signal: AbortSignal.timeout(30_000) }, async (context) => {
        const tab = await context.newPage()
        await tab.goto(`${site.url}/pages/${number}`)
        if (ms > 0) await tab.waitForTimeout(ms)
        return tab.title()
      })
    const countRunning = () =>
      launched.filter((launchedBrowser) => launchedBrowser.browser.isConnected()).length
    return { pool, launched, titleOf: openPage, living: countRunning }
  }

  it('opens every page in a separate context of one browser', async () => {
    const { pool, launched, titleOf } = startPool()
    const titles = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => titleOf(number)))
    expect(titles).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5', 'Page 6'])
    expect(launched).toHaveLength(1)
    await pool.stop()
  })

  it('opens the pages of a lost browser once more in a new one', async () => {
    const { pool, launched, titleOf } = startPool({ permits: 8 })
    const titles = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => titleOf(number, 1500)))
    await expect.poll(() => pool.open(), { timeout: 10_000 }).toBe(8)
    await expect.poll(() => launched.length, { timeout: 10_000 }).toBe(1)
    process.kill(launched[0]?.processId ?? 0, 'SIGKILL')
    expect(await titles).toHaveLength(8)
    expect(launched).toHaveLength(2)
    await pool.stop()
  })

  it.each([0, 30, 60, 90, 120])('does so if the browser is lost %i ms after its start', async (ms) => {
    const { pool, launched, titleOf } = startPool({
      permits: 8,
      launchedFirst: ({ processId }) => setTimeout(() => process.kill(processId ?? 0, 'SIGKILL'), ms),
    })
    const titles = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => titleOf(number, 200)))
    expect(titles).toHaveLength(8)
    expect(launched).toHaveLength(2)
    await pool.stop()
  })

  it('opens the pages of a browser that stopped responding in a new one', async () => {
    const { pool, launched, titleOf, living } = startPool({ responseTimeoutMs: 1500 })
    const title = titleOf(1, 1000)
    await expect.poll(() => launched.length, { timeout: 10_000 }).toBe(1)
    await expect.poll(() => pool.lastUse(), { timeout: 10_000 }).toBeDefined()
    process.kill(launched[0]?.processId ?? 0, 'SIGSTOP')
    expect(await title).toBe('Page 1')
    expect(launched).toHaveLength(2)
    await pool.stop()
    await expect.poll(living).toBe(0)
  })

  it('does so if the browser never responded', async () => {
    const { pool, launched, titleOf } = startPool({
      responseTimeoutMs: 1500,
      launchedFirst: ({ processId }) => process.kill(processId ?? 0, 'SIGSTOP'),
    })
    expect(await titleOf(1)).toBe('Page 1')
    expect(launched).toHaveLength(2)
    await pool.stop()
  })

  it('releases the permit of work that does not end after its signal is aborted', async () => {
    const { pool, titleOf } = startPool({ permits: 1 })
    const abortController = new AbortController()
    const endless = pool.use(
      { teamId: 'team', context: {}, signal: abortController.signal },
      async (context) => {
        await context.newPage()
        abortController.abort()
        return new Promise(() => {})
      },
    )
    await expect(endless).rejects.toThrow('aborted')
    expect(pool.open()).toBe(0)
    expect(await titleOf(1)).toBe('Page 1')
    await pool.stop()
  })

  it('replaces a browser after its maximum number of pages and ends the old one', async () => {
    const { pool, launched, titleOf, living } = startPool({ maxPages: 2 })
    for (let number = 1; number <= 5; number += 1) await titleOf(number)
    expect(launched.length).toBeGreaterThanOrEqual(2)
    await pool.stop()
    await expect.poll(living).toBe(0)
  })

  it('leaves no browser process running if callers wait for a start while browsers retire', async () => {
    const { pool, launched, titleOf } = startPool({ permits: 8, maxPages: 2 })
    const titles = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => titleOf(number))
    expect(await Promise.all(titles)).toHaveLength(8)
    expect(launched).toHaveLength(4)
    await pool.stop()
    const isRunning = (processId = 0) => existsSync(`/proc/${processId}`)
    expect(launched.filter(({ processId }) => isRunning(processId))).toEqual([])
  })

  it('ends an idle browser and starts another on demand', async () => {
    const { pool, launched, titleOf, living } = startPool({ idleMs: 100 })
    await titleOf(1)
    await expect.poll(living, { timeout: 10_000 }).toBe(0)
    expect(await titleOf(2)).toBe('Page 2')
    expect(launched).toHaveLength(2)
    await pool.stop()
  })

  it('lends the permit of a waiting page to other pages and takes it back afterwards', async () => {
    const { pool, titleOf } = startPool({ permits: 1 })
    const order: string[] = []
    const request = { teamId: 'team', context: {}, signal: AbortSignal.timeout(30_000) }
    const completed = Promise.withResolvers<void>()
    const waiting = pool.use(request, async (_, tabPermit) => {
      await tabPermit.whileWaiting(() => completed.promise)
      order.push(`after the wait, ${pool.open()} open`)
    })
    order.push(await titleOf(1))
    completed.resolve()
    await waiting
    expect(order).toEqual(['Page 1', 'after the wait, 1 open'])
    await pool.stop()
  })

  it('releases the permit if the caller aborts', async () => {
    const { pool } = startPool({ permits: 1 })
    const abortController = new AbortController()
    const pending = pool.use(
      { teamId: 'team', context: {}, signal: abortController.signal },
      async (context) => {
        const tab = await context.newPage()
        await tab.goto(`${site.url}/hang`)
      },
    )
    const ended = expect(pending).rejects.toThrow()
    await expect.poll(() => site.hits('/hang'), { timeout: 20_000 }).toBe(1)
    abortController.abort()
    await ended
    await expect.poll(() => pool.open()).toBe(0)
    await pool.stop()
  })
})
