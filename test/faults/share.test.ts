import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const key = 'fc-00000000000000000000000000000000'
const folder = temporaryFolder()
let site: Site
let service: RunningService
beforeAll(async () => {
  site = await startSite()
  service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...{ TEAM_CONCURRENCY: '4', RATE_PER_MINUTE: '100000' },
  })
})
afterAll(async () => {
  await service.kill()
  await site.stop()
  folder.remove()
})

const call = (method: string, path: string, body?: object) =>
  callAt(service.url, method, path, { key, ...(body ? { body } : {}) })
const slow = (ms: number) => `${site.url}/slow?ms=${ms}&n=${Math.random()}`

describe('a team that calls all the time', () => {
  it('still gets its batches completed', { timeout: 60_000 }, async () => {
    let isOver = false
    let [succeeded, failed] = [0, 0]
    const caller = async () => {
      while (!isOver) {
        const { status } = await call('POST', '/v2/scrape', { url: slow(200), maxAge: 0 })
        if (status === 200) succeeded += 1
        else failed += 1
      }
    }
    const callers = Array.from({ length: 12 }, caller)
    // Every slot is occupied, and more callers wait than there are slots.
    await expect.poll(() => succeeded, { timeout: 20_000 }).toBeGreaterThan(8)
    const urls = Array.from({ length: 10 }, () => slow(50))
    const { id } = (await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })).body
    await expect
      .poll(async () => (await call('GET', `/v2/batch/scrape/${id}`)).body.status, { timeout: 30_000 })
      .toBe('completed')
    const before = succeeded
    await expect.poll(() => succeeded, { timeout: 20_000 }).toBeGreaterThan(before + 4)
    isOver = true
    await Promise.all(callers)
    expect(failed).toBe(0)
  })
})
