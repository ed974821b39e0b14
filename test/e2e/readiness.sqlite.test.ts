import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { call, type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { startSite } from '../site/site.ts'

const hasBrowser = inject('deployment').environment.CHROMIUM_PATH !== undefined

describe('readiness', () => {
  it('uses every part', async () => {
    const browser = hasBrowser ? { browser: 'ok' } : {}
    const parts = { store: 'ok', blobs: 'ok', queue: 'ok', disk: 'ok', temporary: 'ok', ...browser }
    const { status, body } = await call('GET', '/health/ready', { key: null })
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ready', parts, ages: expect.any(Object) },
    })
  })

  it.skipIf(!hasBrowser)('opens a page in a browser, and closes the browser', async () => {
    const own = await startOwnService()
    const { body } = await own.call('GET', '/health/ready')
    expect(body).toMatchObject({ parts: { browser: 'ok' }, ages: { browser: 0 } })
    expect(browsersOf(own)).toEqual([])
    await own.remove()
  })

  it.skipIf(!hasBrowser)('relies on the last rendered page instead of starting another browser', async () => {
    const site = await startSite()
    const own = await startOwnService()
    await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1`, waitFor: 1 } })
    const browsersBefore = browsersOf(own)
    expect(browsersBefore).not.toEqual([])
    expect((await own.call('GET', '/health/ready')).body.parts.browser).toBe('ok')
    expect(browsersOf(own)).toEqual(browsersBefore)
    await own.remove()
    await site.stop()
  })

  it('reports a browser that does not start', async () => {
    const folder = temporaryFolder()
    // The script prints its version, which startup requires, and does nothing else.
    const broken = join(folder.path, 'chromium')
    writeFileSync(broken, '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 150.0.0.0"\n', { mode: 0o755 })
    const own = await startOwnService({ CHROMIUM_PATH: broken })
    const { status, body } = await own.call('GET', '/health/ready')
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'not ready', parts: { store: 'ok', browser: expect.any(String) } })
    expect(body).toMatchObject({ success: false, code: 'NOT_READY', error: expect.stringContaining('parts') })
    expect(body.parts.browser).not.toBe('ok')
    await own.remove()
    folder.remove()
  })

  it('does not require a browser if none is configured', async () => {
    const own = await startOwnService({ CHROMIUM_PATH: '' })
    const { status, body } = await own.call('GET', '/health/ready')
    expect(status).toBe(200)
    expect(body.parts).not.toHaveProperty('browser')
    await own.remove()
  })
})

/** Returns the running browsers that a service has started. */
function browsersOf({ process: { pid } }: OwnService): string[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('chromium'))
}
