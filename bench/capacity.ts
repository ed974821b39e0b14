import { startSite } from '../test/site/site.ts'
import { crawlByFleet } from './crawl-fleet.ts'
import { type Figure, figure } from './figure.ts'

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
    figure('pages crawled by one worker', pagesPerSecond, 'per s'),
    figure('processor time of a page: worker', worker, 'ms'),
    figure('processor time of a page: API', api, 'ms'),
    figure('processor time of a page: PostgreSQL', postgres, 'ms'),
    figure('pages per day and core: worker', (daySeconds * 1000) / worker / 1e6, 'million'),
    figure('pages per day and core: PostgreSQL', (daySeconds * 1000) / postgres / 1e6, 'million'),
    figure('transactions of PostgreSQL per page', commits / pages, ''),
    figure('write-ahead log per page', walBytes / pages, 'B'),
    figure('size of the database per page', storeBytes / pages, 'B'),
  ]
}
