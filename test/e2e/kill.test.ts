import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

// Others wait no longer for a process that was killed.
const start = () => startOwnService({ TEAM_CREDITS: '100000', TEAM_CONCURRENCY: '6', LEASE_SECONDS: '3' })

const batches = 6
const pagesEach = 25
const kills = 5

/** A batch of pages that take a while, so that a kill meets them in every state. */
function batchBody(batch: number): object {
  const urls = Array.from(
    { length: pagesEach },
    (_, index) => `${site.url}/slow?ms=${20 + (index % 5) * 30}&n=${batch}-${index}`,
  )
  return { urls, maxAge: 0 }
}

describe('kill -9', () => {
  it('loses no acknowledged job and charges each exactly once', { timeout: 180_000 }, async () => {
    let service = await start()
    const acknowledged: string[] = []
    const submit = async (batch: number) => {
      try {
        const { status, body } = await service.call('POST', '/v2/batch/scrape', { body: batchBody(batch) })
        if (status === 200) acknowledged.push(body.id)
      } catch {
        // Killed before it answered: not acknowledged, so nothing is promised.
      }
    }
    for (let batch = 0; batch < batches; batch += 1) await submit(batch)
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = 30 + Math.random() * 600
      const late = submit(batches + kill)
      await sleep(moment)
      await service.kill()
      await late
      service = await service.again()
    }
    // A batch can be written by a process that was killed before it answered: nothing was promised, but it is charged.
    const { data } = (await service.call('GET', '/v2/team/activity?endpoint=batch_scrape&limit=100')).body
    const written: string[] = data.map((job: Json) => job.id)
    expect(acknowledged.filter((id) => !written.includes(id))).toEqual([])
    const ended = await Promise.all(written.map((id) => finished(service, id)))
    for (const batch of ended) {
      expect(batch.status).toBe('completed')
      expect(batch.completed + batch.failed).toBe(pagesEach)
    }
    // Three starts are allowed to a job; one that was killed each time is recorded as such, never lost.
    const completed = ended.reduce((sum, batch) => sum + batch.completed, 0)
    expect(completed).toBeGreaterThan(0)
    const { body } = await service.call('GET', '/v2/team/credit-usage')
    expect(100_000 - body.data.remainingCredits).toBe(completed)
    const history = (await service.call('GET', '/v2/team/credit-usage/historical')).body.periods
    expect(history.reduce((sum: number, period: Json) => sum + period.creditsUsed, 0)).toBe(completed)
    await service.remove()
  })

  it('ends a call whose process died, without charging it', { timeout: 120_000 }, async () => {
    const service = await start()
    const before = await usage(service)
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
    expect(await usage(next)).toBe(before)
    await next.remove()
  })
})

async function usage(service: OwnService): Promise<number> {
  return (await service.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits
}

async function finished(service: OwnService, id: string): Promise<Json> {
  const path = `/v2/batch/scrape/${id}`
  await expect
    .poll(async () => (await service.call('GET', path)).body.status, { timeout: 120_000, interval: 200 })
    .not.toBe('scraping')
  const { body } = await service.call('GET', path)
  const { errors } = (await service.call('GET', `${path}/errors`)).body
  return { ...body, failed: errors.length }
}
