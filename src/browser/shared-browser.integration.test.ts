import { EventEmitter } from 'node:events'
import type { Browser } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import type { LaunchedBrowser } from '../platform/ports/chromium.ts'
import { createSharedBrowser } from './shared-browser.ts'

const limits = {
  ...{ mostPages: 100, mostMs: 1e6, maxMegabytes: 4000, idleMs: 60_000, answerMs: 10_000 },
  ...{ pageMegabytes: 1000, browserMegabytes: 3000 },
}

/** As much of a browser as its start asks for. */
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

function scene({ fails = 0, ...changed }: Partial<typeof limits> & { fails?: number } = {}) {
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
      stepBack() {},
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

describe('the browser that all pages share', () => {
  it('is started once for all who ask at the same time', async () => {
    const { shared, launched } = scene()
    const [one, other] = await Promise.all([shared.acquire(), shared.acquire()])
    expect(one.resource).toBe(other.resource)
    expect(launched).toHaveLength(1)
    await shared.stop()
  })

  it('is not handed on where it did not start', async () => {
    const { shared, launched } = scene({ fails: 1 })
    const first = await Promise.allSettled([shared.acquire(), shared.acquire()])
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(shared.lastUse()?.error).toBe('no memory')
    await shared.acquire()
    expect(launched).toHaveLength(1)
    await shared.stop()
  })

  it('is replaced when it has gone', async () => {
    const { shared, launched } = scene()
    const first = await shared.acquire()
    launched[0]?.emit('disconnected', launched[0])
    await expect(first.resource.lost).rejects.toThrow('lost')
    expect((await shared.acquire()).resource).not.toBe(first.resource)
    expect(launched).toHaveLength(2)
    await shared.stop()
  })

  it('ends with its last page when it is spent', async () => {
    const { shared, killed } = scene({ mostPages: 2 })
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

  it('ends when it has nothing to do, not while it has', async () => {
    const { shared, killed } = scene({ idleMs: 20 })
    ;(await shared.acquire()).release()
    const again = await shared.acquire()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(killed).toEqual([])
    again.release()
    await expect.poll(() => killed).toEqual([again.resource.browser])
    await shared.stop()
  })

  it('is not the one of a page that is to be alone', async () => {
    const { shared, killed } = scene()
    const [alone, common] = [await shared.acquireAlone(), await shared.acquire()]
    expect(alone.resource).not.toBe(common.resource)
    alone.release()
    expect(killed).toEqual([alone.resource.browser])
    await shared.stop()
  })

  it('is ended by a stop, after which there is none', async () => {
    const { shared, killed } = scene()
    const { browser } = (await shared.acquire()).resource
    await shared.stop()
    expect(killed).toEqual([browser])
    await expect(shared.acquire()).rejects.toThrow()
    await expect(shared.acquireAlone()).rejects.toThrow()
  })
})
