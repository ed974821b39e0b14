import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { createEgress, type Egress } from '../fetch/network/egress/egress.ts'
import { createGuard } from '../fetch/network/guard.ts'
import { readAddressRule } from '../platform/address-rule.ts'
import { createLocalChromium } from '../platform/chromium/local.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import { browserHealth } from './health.ts'
import { createBrowserPool } from './pool.ts'

const chromiumPath = findChromium()

describe.skipIf(chromiumPath === undefined)('browserHealth', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-self-test-'))
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(async () => {
    await site.stop()
    rmSync(folder, { recursive: true })
  })

  /** Creates a Chromium wrapper that drops the switch --proxy-bypass-list. */
  function createWrapper(): string {
    const path = join(folder, 'chromium')
    const script = `#!/bin/bash
kept=()
for given in "$@"; do [[ $given == --proxy-bypass-list=* ]] || kept+=("$given"); done
exec ${chromiumPath} "\${kept[@]}"
`
    writeFileSync(path, script, { mode: 0o755 })
    return path
  }

  function createScene(path: string, allowed: string[] = []) {
    const rules = allowed.flatMap((rule) => readAddressRule(rule) ?? [])
    const egress: Egress = createEgress({ guard: createGuard(rules), log: silentLog })
    const chromium = createLocalChromium(path, silentLog)
    const deps = { chromium, egress, clock: systemClock, log: silentLog }
    const limits = {
      ...{ permits: 2, sparePermits: 0, waitingPages: 0, pageMegabytes: 1000, browserMegabytes: 3000 },
      ...{ maxPages: 100, maxMs: 1e6, maxMegabytes: 4000, idleMs: 60_000, responseTimeoutMs: 10_000 },
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

  it('returns ok for an ordinary Chromium, with and without access to local addresses', async () => {
    const closed = createScene(chromiumPath ?? '')
    expect(await closed.health()).toMatchObject({ state: 'ok' })
    await closed.end()
    const open = createScene(chromiumPath ?? '', ['127.0.0.1'])
    expect(await open.visit()).toBe('Page 1')
    expect(await open.health()).toMatchObject({ state: 'ok' })
    await open.end()
  })

  it.each([[[]], [['127.0.0.1']]])('blocks a Chromium without <-loopback (open: %s)', async (allowed) => {
    const { visit, health, end } = createScene(createWrapper(), allowed)
    const before = site.hits('/pages/1')
    await expect(visit()).rejects.toMatchObject({ code: 'BROWSER_FAILED', detail: { phase: 'self-test' } })
    expect((await health()).state).toContain('bypasses its proxy')
    expect(site.hits('/pages/1')).toBe(before)
    await end()
  })

  it('reports the bypassed proxy before any page was requested', async () => {
    const { health, end } = createScene(createWrapper())
    expect((await health()).state).toContain('bypasses its proxy')
    await end()
  })
})
