import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { createEgress, type Egress } from '../fetch/network/egress/egress.ts'
import { createGuard } from '../fetch/network/guard.ts'
import { readAddressRule } from '../platform/address-rule.ts'
import { localChromium } from '../platform/chromium/local.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import { browserHealth } from './health.ts'
import { createBrowserPool } from './pool.ts'

const real = findChromium()

describe.skipIf(real === undefined)('the self-test of a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-self-test-'))
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(async () => {
    await site.stop()
    rmSync(folder, { recursive: true })
  })

  /** A Chromium behind a wrapper that drops the one switch. */
  function withoutTheRule(): string {
    const path = join(folder, 'chromium')
    const script = `#!/bin/bash
kept=()
for given in "$@"; do [[ $given == --proxy-bypass-list=* ]] || kept+=("$given"); done
exec ${real} "\${kept[@]}"
`
    writeFileSync(path, script, { mode: 0o755 })
    return path
  }

  function scene(path: string, allowed: string[] = []) {
    const rules = allowed.flatMap((rule) => readAddressRule(rule) ?? [])
    const egress: Egress = createEgress({ guard: createGuard(rules), log: silentLog })
    const chromium = localChromium(path, silentLog)
    const deps = { chromium, egress, clock: systemClock, log: silentLog }
    const limits = {
      ...{ places: 2, sparePlaces: 0, waitingPages: 0, pageMegabytes: 1000, browserMegabytes: 3000 },
      ...{ mostPages: 100, mostMs: 1e6, maxMegabytes: 4000, idleMs: 60_000, answerMs: 10_000 },
    }
    const pool = createBrowserPool(deps, limits)
    const visit = () =>
      pool.use({ teamId: 'team', context: {}, signal: AbortSignal.timeout(30_000) }, async (context) => {
        const tab = await context.newPage()
        await tab.goto(`${site.url}/pages/1`)
        return tab.title()
      })
    const health = browserHealth({ ...deps, pool, selfTest: egress.selfTest })
    const end = async () => {
      await pool.stop()
      await egress.close()
    }
    return { visit, health, end }
  }

  it('is passed by an ordinary Chromium, whether or not this machine is open to scrapes', async () => {
    const closed = scene(real ?? '')
    expect(await closed.health()).toMatchObject({ state: 'ok' })
    await closed.end()
    const open = scene(real ?? '', ['127.0.0.1'])
    expect(await open.visit()).toBe('Page 1')
    expect(await open.health()).toMatchObject({ state: 'ok' })
    await open.end()
  })

  it.each([[[]], [['127.0.0.1']]])(
    'keeps a Chromium without <-loopback> out of use (open: %s)',
    async (allowed) => {
      const { visit, health, end } = scene(withoutTheRule(), allowed)
      const before = site.hits('/pages/1')
      await expect(visit()).rejects.toMatchObject({ code: 'BROWSER_FAILED', detail: { phase: 'self-test' } })
      expect((await health()).state).toContain('bypasses its proxy')
      expect(site.hits('/pages/1')).toBe(before)
      await end()
    },
  )

  it('is noticed by readiness before any page was asked for', async () => {
    const { health, end } = scene(withoutTheRule())
    expect((await health()).state).toContain('bypasses its proxy')
    await end()
  })
})
