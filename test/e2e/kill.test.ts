import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

// The lease is short, so that other processes soon detect a killed process.
const start = () => startOwnService({ TEAM_CREDITS: '100000', TEAM_CONCURRENCY: '6', LEASE_SECONDS: '3' })

describe('kill -9', () => {
  it('ends a call of a killed process without charging it', { timeout: 120_000 }, async () => {
    const service = await start()
    const creditsBefore = await usage(service)
    const call = service
      .call('POST', '/v2/scrape', { body: { url: `${site.url}/hang`, timeout: 60_000 } })
      .catch(() => 'cut')
    await expect
      .poll(async () => (await service.call('GET', '/v2/concurrency-check')).body.concurrency)
      .toBe(1)
    await service.kill()
    expect(await call).toBe('cut')
    const next = await service.again()
    await expect
      .poll(async () => (await next.call('GET', '/v2/team/queue-status')).body.jobsInQueue, {
        timeout: 60_000,
      })
      .toBe(0)
    expect(await usage(next)).toBe(creditsBefore)
    await next.remove()
  })
})

async function usage(service: OwnService): Promise<number> {
  return (await service.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits
}
