import { startSite } from '../test/site/site.ts'
import { crawlByFleet } from './crawl-fleet.ts'
import { atLeast, type Figure, figure } from './figure.ts'

const pages = Number(process.env.PAGES ?? 2000)

/** Measures the same crawl on PostgreSQL with one worker and with two. The site and the store use the same cores. */
export async function measure(): Promise<Figure[]> {
  const site = await startSite()
  const { pagesPerSecond: oneWorkerRate } = await crawlByFleet(site, ['api', 'worker'], pages)
  const { pagesPerSecond: twoWorkersRate } = await crawlByFleet(site, ['api', 'worker', 'worker'], pages)
  await site.stop()
  return [
    figure('pages crawled by one worker, PostgreSQL', oneWorkerRate, 'per s'),
    figure('pages crawled by two workers, PostgreSQL', twoWorkersRate, 'per s'),
    atLeast('two workers against one (an aim; needs cores)', twoWorkersRate / oneWorkerRate, 1.7, 'times'),
  ]
}
