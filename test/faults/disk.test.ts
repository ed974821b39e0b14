import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt } from '../api.ts'
import { type RunningService, runCommand, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const key = 'fc-00000000000000000000000000000000'
const folder = temporaryFolder()

const blobs = join(folder.path, 'data', 'blobs')

/** Two small file systems, one for the database and one for the blobs. Only root can mount them. */
const isMounted = mount()
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder.path], { stdio: 'ignore' })
    mkdirSync(blobs, { recursive: true, mode: 0o700 })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', blobs], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const skipNote = isMounted ? '' : ' (skipped: a file system can be mounted by root only)'

let site: Site
let service: RunningService
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/large': ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(
          `<title>Large</title>${'<p>A sentence that is as long as any other.</p>'.repeat(40_000)}`,
        )
      },
    },
  })
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
  if (isMounted) for (const path of [blobs, folder.path]) execFileSync('umount', ['--lazy', path])
  folder.remove()
})

const call = (method: string, path: string, body?: object) =>
  callAt(service.url, method, path, { key, ...(body ? { body } : {}) })
const page = () => ({ url: `${site.url}/pages/${Math.random()}`, maxAge: 0 })

describe.skipIf(!isMounted)(`a disk that is full${skipNote}`, { timeout: 120_000 }, () => {
  const filler = join(folder.path, 'filler')

  it('to nearly nine tenths caches no further pages, with a warning, until space is free again', async () => {
    const { url } = page()
    const scrape = async () => {
      const { body } = await call('POST', '/v2/scrape', { url, maxAge: 3_600_000 })
      return {
        cacheState: body.data.metadata.cacheState,
        isWarned: /almost full/.test(body.data.warning ?? ''),
      }
    }
    try {
      writeFileSync(filler, Buffer.alloc(84 * 1024 ** 2))
      // The service caches the free space of the disk for two seconds.
      await expect
        .poll(scrape, { timeout: 20_000, interval: 500 })
        .toEqual({ cacheState: 'miss', isWarned: true })
      expect(await scrape()).toEqual({ cacheState: 'miss', isWarned: true })
    } finally {
      rmSync(filler)
    }
    await expect
      .poll(scrape, { timeout: 20_000, interval: 500 })
      .toEqual({ cacheState: 'hit', isWarned: false })
  })

  it('of the blobs is reported with its folder', async () => {
    const large = { url: `${site.url}/large`, formats: ['rawHtml'], storeInCache: false, maxAge: 0 }
    const { status, body, headers } = await call('POST', '/v2/scrape', large)
    expect({ status, code: body.code, part: body.part, reason: body.reason }).toEqual({
      ...{ status: 503, code: 'STORE_UNAVAILABLE', part: 'blobs' },
      reason: 'the disk of DATA_DIR/blobs is full',
    })
    expect(body.error).toContain('the disk of DATA_DIR/blobs is full')
    expect(headers.get('retry-after')).not.toBeNull()
    // Callers do not see the path, but the operator does.
    expect(JSON.stringify(body)).not.toContain(folder.path)
    await expect.poll(() => service.output()).toContain(blobs)
  })

  it('is reported, leaves stored results readable, and has no effect after space is free again', async () => {
    const urls = Array.from({ length: 8 }, () => page().url)
    const { id } = (await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })).body
    await expect.poll(async () => (await call('GET', `/v2/batch/scrape/${id}`)).body.status).toBe('completed')
    try {
      writeFileSync(filler, Buffer.alloc(200 * 1024 * 1024))
    } catch {
      // The disk is full to the last byte, as intended.
    }
    const ready = await call('GET', '/health/ready')
    expect(ready).toMatchObject({
      status: 503,
      body: {
        parts: { disk: expect.stringMatching(/^the disk of DATA_DIR \(\S+\) is full: \d+ MB are left/) },
      },
    })
    expect((await call('GET', `/v2/batch/scrape/${id}`)).body.data).toHaveLength(8)
    const responses = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/v2/scrape', page())))
    const rejected = responses.filter(({ status }) => status !== 200)
    expect(rejected.length).toBeGreaterThan(0)
    for (const { status, body, headers } of rejected) {
      expect({ status, code: body.code, part: body.part }).toEqual({
        status: 503,
        code: 'STORE_UNAVAILABLE',
        part: 'database',
      })
      expect(body.error).toContain('the disk of DATA_DIR is full')
      expect(headers.get('retry-after')).not.toBeNull()
    }
    const second = join(folder.path, 'second')
    const { code, stdout, stderr } = await runCommand([], { DATA_DIR: second, PORT: '0' })
    expect([code, stdout + stderr]).toEqual([
      1,
      expect.stringContaining(`The disk of DATA_DIR=${second} is full.`),
    ])
    expect(service.output()).toContain(join(folder.path, 'data'))
    rmSync(filler)
    await expect
      .poll(async () => (await call('POST', '/v2/scrape', page())).status, { timeout: 20_000 })
      .toBe(200)
    // No slot of the team is still occupied by a failed call.
    await expect
      .poll(async () => (await call('GET', '/v2/concurrency-check')).body.concurrency, { timeout: 20_000 })
      .toBe(0)
    expect(service.output()).not.toContain('cannot rollback')
    expect(service.output()).toContain('full')
  })
})
