import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const folder = temporaryFolder()
let site: Site
let own: OwnService
beforeAll(async () => {
  const script = join(folder.path, 'script.json')
  const answer = { calls: [{ name: 'done', arguments: { answer: 'It is a page.' } }] }
  writeFileSync(script, JSON.stringify([{ turns: [answer] }]))
  site = await startSite()
  own = await startOwnService({
    ...{ MODEL_URL: `script:${script}`, MODEL_TOKENS_PER_TEAM_PER_DAY: '10', TEAM_CREDITS: '200' },
  })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  folder.remove()
})

/** Scrapes a page and runs a task on it. */
async function runTask(service: OwnService, key: string) {
  const body = { url: `${site.url}/pages/1` }
  const scraped = await service.call('POST', '/v2/scrape', { key, body })
  const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`
  const answer = await service.call('POST', path, { key, body: { prompt: 'What is this?', ttl: 60 } })
  await service.call('DELETE', path, { key })
  return answer
}

const dayMs = 86_400_000
const maxDurationMs = 90_000

/** Waits until after midnight if the test would run across it, because daily counters reset at midnight. */
async function avoidMidnight(): Promise<void> {
  const untilMidnight = dayMs - (Date.now() % dayMs)
  if (untilMidnight < maxDurationMs) await sleep(untilMidnight + 1000)
}

describe('the daily tokens of a team', () => {
  it('are reported, and rejected by every process once they are spent', { timeout: 180_000 }, async () => {
    await avoidMidnight()
    const [key, otherKey] = [await own.newTeam(), await own.newTeam()]
    const usage = async (service: OwnService) =>
      (await service.call('GET', '/v2/team/token-usage', { key })).body.data.modelTokens
    const credits = async () =>
      (await own.call('GET', '/v2/team/credit-usage', { key })).body.data.remainingCredits
    expect(await usage(own)).toMatchObject({ today: 0, todayLimit: 10, calls: 0 })

    expect((await runTask(own, key)).body).toMatchObject({ success: true, output: 'It is a page.' })
    const used = await usage(own)
    expect(used).toMatchObject({ todayLimit: 10, calls: 1 })
    expect(used.today).toBeGreaterThan(10)
    const { modelPeriods } = (await own.call('GET', '/v2/team/token-usage/historical', { key })).body
    expect(modelPeriods).toEqual([expect.objectContaining({ tokens: used.today })])

    const creditsBefore = await credits()
    const rejected = await runTask(own, key)
    expect([rejected.status, rejected.body.code, rejected.body.limit]).toEqual([
      429,
      'MODEL_BUDGET_SPENT',
      10,
    ])
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    // Only the scrape was charged.
    expect(await credits()).toBe(creditsBefore - 1)
    expect((await runTask(own, otherKey)).status).toBe(200)

    await own.stop()
    const next = await own.again()
    try {
      expect(await usage(next)).toEqual(used)
      expect((await runTask(next, key)).body.code).toBe('MODEL_BUDGET_SPENT')
      const { features } = (await next.call('GET', '/v2/capabilities')).body
      expect(features).toContainEqual(expect.objectContaining({ name: 'language model', available: true }))
    } finally {
      await next.kill()
    }
  })
})
