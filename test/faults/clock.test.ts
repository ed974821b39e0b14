import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { startFleet } from './fleet.ts'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync)
const skipNote = library === undefined ? ' (skipped: there is no libfaketime on this machine)' : ''
const key = 'fc-00000000000000000000000000000000'
const folder = temporaryFolder()
const offset = join(folder.path, 'offset')
const shifted = {
  LD_PRELOAD: library ?? '',
  FAKETIME_TIMESTAMP_FILE: offset,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
}

let site: Site
let service: RunningService
beforeAll(async () => {
  site = await startSite()
  writeFileSync(offset, '+0')
})
afterAll(async () => {
  await service?.kill()
  await site.stop()
  folder.remove()
})

/** Clock warning of readiness after each jump. The service itself continues with the time of its start. */
const expectedWarnings: Record<string, unknown> = {
  '+120': expect.stringMatching(/^the clock of this service is 1[12]\d s behind the clock of this machine$/),
  '-3600': expect.stringMatching(
    /^the clock of this service is 3[56]\d\d s ahead of the clock of this machine$/,
  ),
  '+0': undefined,
}

const call = (method: string, path: string, body?: object) =>
  callAt(service.url, method, path, { key, ...(body ? { body } : {}) })

describe.skipIf(library === undefined)(`a clock that jumps${skipNote}`, () => {
  it.each(isWhole ? ['+120', '-3600', '+0'] : ['+120', '+0'])(
    'by %s seconds cancels nothing',
    { timeout: 60_000 },
    async (jump) => {
      service ??= await startService({
        DATA_DIR: join(folder.path, 'data'),
        API_KEY: key,
        ALLOW_PRIVATE_NETWORK: '127.0.0.1',
        LOG_LEVEL: 'warn',
        LEASE_SECONDS: '3',
        ...shifted,
      })
      const slow = `${site.url}/slow?ms=5000&n=${Math.random()}`
      const urls = Array.from(
        { length: 4 },
        (_, index) => `${site.url}/slow?ms=3500&n=${index}${Math.random()}`,
      )
      const { id } = (await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })).body
      const running = call('POST', '/v2/scrape', { url: slow, maxAge: 0, timeout: 20_000 })
      await sleep(500)
      writeFileSync(offset, jump)
      // The calls take long enough for lease renewals and a check of the reaper.
      expect((await running).status).toBe(200)
      await expect
        .poll(async () => (await call('GET', `/v2/batch/scrape/${id}`)).body, {
          timeout: 30_000,
          interval: 250,
        })
        .toMatchObject({ status: 'completed', completed: 4 })
      expect(site.hits(new URL(slow).pathname + new URL(slow).search)).toBe(1)
      for (const url of urls) expect(site.hits(new URL(url).pathname + new URL(url).search)).toBe(1)
      expect(service.output()).not.toContain('started again')
      const { status, body } = await call('GET', '/health/ready')
      expect([status, body.warnings?.clock]).toEqual([200, expectedWarnings[jump]])
    },
  )
})

describe.skipIf(library === undefined)(`a clock that differs from the database${skipNote}`, () => {
  it('is reported by readiness, with both clocks and the difference', { timeout: 60_000 }, async () => {
    writeFileSync(offset, '+3600')
    const fleet = await startFleet(['all'], shifted)
    try {
      const { status, body } = await fleet.call('GET', '/health/ready')
      expect(status).toBe(200)
      expect(body.warnings.clock).toMatch(
        /^the clock of this machine is (?:3599|3600|3601) s ahead of the clock of the database server$/,
      )
    } finally {
      await fleet.stop()
    }
  })
})
