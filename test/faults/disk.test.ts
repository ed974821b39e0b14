import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const key = 'fc-00000000000000000000000000000000'
const folder = temporaryFolder()

/** A file system of its own that is soon full; only root may have one. */
const isMounted = mount()
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder.path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const without = isMounted ? '' : ' (skipped: a file system can be mounted by root only)'

let site: Site
let service: RunningService
beforeAll(async () => {
  site = await startSite()
  service = await startService({
    DATA_DIR: join(folder.path, 'data'),
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    TEAM_CONCURRENCY: '4',
  })
})
afterAll(async () => {
  await service.kill()
  await site.stop()
  if (isMounted) execFileSync('umount', ['--lazy', folder.path])
  folder.remove()
})

const call = (method: string, path: string, body?: object) =>
  callAt(service.url, method, path, { key, ...(body ? { body } : {}) })
const page = () => ({ url: `${site.url}/pages/${Math.random()}`, maxAge: 0 })

describe.skipIf(!isMounted)(`a disk that is full${without}`, { timeout: 120_000 }, () => {
  const filler = join(folder.path, 'filler')

  it('is reported, leaves stored results readable, and has no effect once there is room again', async () => {
    const urls = Array.from({ length: 8 }, () => page().url)
    const { id } = (await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })).body
    await expect.poll(async () => (await call('GET', `/v2/batch/scrape/${id}`)).body.status).toBe('completed')
    try {
      writeFileSync(filler, Buffer.alloc(200 * 1024 * 1024))
    } catch {
      // It was to be filled to the last byte.
    }
    const ready = await call('GET', '/health/ready')
    expect(ready).toMatchObject({
      status: 503,
      body: { parts: { disk: expect.stringContaining('MB are left') } },
    })
    expect((await call('GET', `/v2/batch/scrape/${id}`)).body.data).toHaveLength(8)
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/v2/scrape', page())))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, body, headers } of refused) {
      expect({ status, code: body.code, part: body.part }).toEqual({
        status: 503,
        code: 'STORE_UNAVAILABLE',
        part: 'database',
      })
      expect(headers.get('retry-after')).not.toBeNull()
    }
    rmSync(filler)
    await expect
      .poll(async () => (await call('POST', '/v2/scrape', page())).status, { timeout: 20_000 })
      .toBe(200)
    // As many at once as the team has slots: none of them is still held by what failed.
    await expect
      .poll(async () => (await call('GET', '/v2/concurrency-check')).body.concurrency, { timeout: 20_000 })
      .toBe(0)
    expect(service.output()).not.toContain('cannot rollback')
    expect(service.output()).toContain('full')
  })
})
