import { EventEmitter } from 'node:events'
import type { Browser } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import type { LaunchedBrowser } from '../platform/ports/chromium.ts'
import { createSharedBrowser } from './shared-browser.ts'

const limits = {
  ...{ maxPages: 100, maxMs: 1e6, maxMegabytes: 4000, idleMs: 60_000, responseTimeoutMs: 10_000 },
  ...{ pageMegabytes: 1000, browserMegabytes: 3000 },
}

/** Creates a fake browser with the members that startup uses. */
function fakeBrowser() {
  const session = { on() {}, send: async () => ({}) }
  const page = { goto: async () => ({ text: async () => 'proxied' }) }
  const browser = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    newBrowserCDPSession: async () => session,
    newContext: async () => ({ newPage: async () => page, browser: () => null }),
  })
  return browser as unknown as Browser & EventEmitter
}

function createScene({ fails = 0, ...changed }: Partial<typeof limits> & { fails?: number } = {}) {
  const launched: (Browser & EventEmitter)[] = []
  const killed: Browser[] = []
  let failures = fails
  async function launch(): Promise<LaunchedBrowser> {
    failures -= 1
    if (failures >= 0) throw new Error('no memory')
    const browser = fakeBrowser()
    launched.push(browser)
    return {
      browser,
      processId: undefined,
      residentMegabytes: () => 100,
      processes: () => [],
      endProcess() {},
      setPriority() {},
      kill: async () => void killed.push(browser),
    }
  }
  const chromium = { launch, readOnce: async () => '' }
  const egress = { selfTest: async () => ({ proxyUrl: '', url: '' }) }
  const shared = createSharedBrowser(
    { chromium, egress, clock: systemClock, log: silentLog },
    { ...limits, ...changed },
  )
  return { shared, launched, killed }
}

describe('createSharedBrowser', () => {
  it('starts one browser for concurrent callers', async () => {
    const { shared, launched } = createScene()
    const [left, right] = await Promise.all([shared.acquire(), shared.acquire()])
    expect(left.resource).toBe(right.resource)
    expect(launched).toHaveLength(1)
    await shared.stop()
  })

  it('starts a new browser after a failed start', async () => {
    const { shared, launched } = createScene({ fails: 1 })
    const first = await Promise.allSettled([shared.acquire(), shared.acquire()])
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(shared.lastUse()?.error).toBe('no memory')
    await shared.acquire()
    expect(launched).toHaveLength(1)
    await shared.stop()
  })

  it('replaces a disconnected browser', async () => {
    const { shared, launched } = createScene()
    const first = await shared.acquire()
    launched[0]?.emit('disconnected', launched[0])
    await expect(first.resource.lost).rejects.toThrow('lost')
    expect((await shared.acquire()).resource).not.toBe(first.resource)
    expect(launched).toHaveLength(2)
    await shared.stop()
  })

  it('ends a browser with its last page after mostPages', async () => {
    const { shared, killed } = createScene({ maxPages: 2 })
    const [first, second] = [await shared.acquire(), await shared.acquire()]
    const third = await shared.acquire()
    expect(second.resource).toBe(first.resource)
    expect(third.resource).not.toBe(first.resource)
    first.release()
    first.release()
    expect(killed).toEqual([])
    second.release()
    expect(killed).toEqual([first.resource.browser])
    await shared.stop()
  })

  it('ends a browser when it is idle, not while it is in use', async () => {
    const { shared, killed } = createScene({ idleMs: 20 })
    ;(await shared.acquire()).release()
    const reacquired = await shared.acquire()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(killed).toEqual([])
    reacquired.release()
    await expect.poll(() => killed).toEqual([reacquired.resource.browser])
    await shared.stop()
  })

  it('starts a separate browser for acquireAlone()', async () => {
    const { shared, killed } = createScene()
    const [ownLease, sharedLease] = [await shared.acquireAlone(), await shared.acquire()]
    expect(ownLease.resource).not.toBe(sharedLease.resource)
    ownLease.release()
    expect(killed).toEqual([ownLease.resource.browser])
    await shared.stop()
  })

  it('ends the browser on stop() and rejects later callers', async () => {
    const { shared, killed } = createScene()
    const { browser } = (await shared.acquire()).resource
    await shared.stop()
    expect(killed).toEqual([browser])
    await expect(shared.acquire()).rejects.toThrow()
    await expect(shared.acquireAlone()).rejects.toThrow()
  })
})
