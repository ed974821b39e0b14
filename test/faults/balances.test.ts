import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'

// A full run crawls 3,500 pages in addition to the calls.
const pages = isWhole ? 350 : 40
const runs = isWhole ? 10 : 1
const callsEach = isWhole ? 50 : 12
const granted = 1_000_000

let site: Site
let fleet: Fleet
beforeAll(async () => {
  site = await startSite()
  fleet = await startFleet(['api', 'api', 'worker', 'worker'], {
    TEAM_CREDITS: String(granted),
    TEAM_CONCURRENCY: '24',
  })
})
afterAll(async () => {
  await fleet.stop()
  await site.stop()
})

/** Reads every document of a running job by paging through its results. */
async function readAll(id: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { body } = await fleet.call('GET', `/v2/crawl/${id}?skip=${ids.length}&limit=20`)
    ids.push(...body.data.map((document: Json) => document.metadata.scrapeId))
    if (body.status !== 'scraping' && body.data.length === 0) return ids
    if (body.data.length === 0) await sleep(50)
  }
}

describe('a crawl of a team with a balance, on two workers, with concurrent callers', () => {
  it.each(Array.from({ length: runs }, (_, run) => run))(
    'is complete, exact and without a deadlock (run %i)',
    { timeout: 240_000 },
    async (run) => {
      const before = (await fleet.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits
      const { body } = await fleet.call('POST', '/v2/crawl', {
        body: {
          ...{ url: `${site.url}/ring/1?of=${pages}&run=${run}`, limit: pages, sitemap: 'skip' },
          ...{ crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } },
        },
      })
      const readers = [readAll(body.id), readAll(body.id), readAll(body.id)]
      let isRunning = true
      const statuses: number[] = []
      const caller = async (number: number) => {
        for (let index = 0; isRunning && index < callsEach; index += 1) {
          const url = `${site.url}/pages/${number}-${index}-${run}`
          statuses.push((await fleet.call('POST', '/v2/scrape', { body: { url, maxAge: 0 } })).status)
        }
      }
      const callers = Array.from({ length: 8 }, (_, number) => caller(number))
      const read = await Promise.all(readers)
      isRunning = false
      await Promise.all(callers)
      for (const ids of read)
        expect({ all: ids.length, different: new Set(ids).size }).toEqual({ all: pages, different: pages })
      const status = (await fleet.call('GET', `/v2/crawl/${body.id}?limit=1`)).body
      expect(status).toMatchObject({ status: 'completed', completed: pages, creditsUsed: pages })
      expect([...new Set(statuses)]).toEqual([200])
      // A call whose lease expired returns but is not charged. This query shows the reason in the failure message.
      expect(
        await fleet.read(
          `select coalesce(string_agg(kind || ' ' || state || ' ' || coalesce(error, ''), '; '), '') from jobs where state <> 'completed'`,
        ),
      ).toBe('')
      const after = (await fleet.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits
      expect(before - after).toBe(pages + statuses.length)
      expect(
        Number(await fleet.read('select deadlocks from pg_stat_database where datname = current_database()')),
      ).toBe(0)
    },
  )
})
