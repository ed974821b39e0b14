import { startSite } from '../test/site/site.ts'
import { crawlByFleet, type FleetCrawl } from './crawl-fleet.ts'
import { atLeast, atMost, type Figure, figure, median } from './figure.ts'

const pages = Number(process.env.PAGES ?? 3400)
const rounds = 3
const roles = ['api', 'api', 'worker', 'worker']

/** Measures the same crawl by four processes, alternately for a team without a balance and for a team with one. */
export async function measure(): Promise<Figure[]> {
  const site = await startSite()
  const free: FleetCrawl[] = []
  const charged: FleetCrawl[] = []
  for (let round = 0; round < rounds; round += 1) {
    free.push(await crawlByFleet(site, roles, pages))
    charged.push(await crawlByFleet(site, roles, pages, { TEAM_CREDITS: '1000000' }))
  }
  await site.stop()
  const withoutBalance = median(free.map((crawl) => crawl.pagesPerSecond))
  const withBalance = median(charged.map((crawl) => crawl.pagesPerSecond))
  const deadlocks = charged.reduce((sum, crawl) => sum + crawl.deadlocks, 0)
  return [
    figure('pages crawled by 2 + 2 processes without a balance', withoutBalance, 'per s'),
    figure('pages crawled by 2 + 2 processes with a balance', withBalance, 'per s'),
    atLeast('with a balance against without one', withBalance / withoutBalance, 0.9, 'times'),
    atMost(`deadlocks in ${rounds * pages} pages with a balance`, deadlocks, 0, ''),
  ]
}
