import { startSite } from '../test/site/site.ts'
import { crawlByFleet } from './crawl-fleet.ts'
import { type Figure, plain } from './figure.ts'

const pages = Number(process.env.PAGES ?? 2000)
const daySeconds = 86_400

/**
 * Measures the processor time per crawled page, by process. Other load on the machine makes a crawl slower, but changes
 * these times only slightly, so use them to size a fleet. The pages come from loopback, over plain HTTP.
 */
export async function measure(): Promise<Figure[]> {
  const site = await startSite()
  const { processor, pagesPerSecond, commits, walBytes, storeBytes } = await crawlByFleet(
    site,
    ['api', 'worker'],
    pages,
  )
  await site.stop()
  const [api = 0, worker = 0] = processor.services.map((ms) => ms / pages)
  const postgres = processor.postgres / pages
  return [
    plain('pages crawled by one worker', pagesPerSecond, 'per s'),
    plain('processor time of a page: worker', worker, 'ms'),
    plain('processor time of a page: API', api, 'ms'),
    plain('processor time of a page: PostgreSQL', postgres, 'ms'),
    plain('pages of one core of a worker in a day', (daySeconds * 1000) / worker / 1e6, 'million'),
    plain('pages of one core of PostgreSQL in a day', (daySeconds * 1000) / postgres / 1e6, 'million'),
    plain('transactions of PostgreSQL per page', commits / pages, ''),
    plain('write-ahead log per page', walBytes / pages, 'B'),
    plain('size of the database per page', storeBytes / pages, 'B'),
  ]
}
