import type { Endpoint } from '../http/endpoint.ts'
import { deleteBatchScrape, getBatchScrape } from '../http/endpoints/batch-scrape.ts'
import { deleteCrawl, getCrawl } from '../http/endpoints/crawl.ts'
import { deleteExtract, getExtract } from '../http/endpoints/extract.ts'

export const jobKindNames = ['crawl', 'batch', 'extract'] as const
export type JobKindName = (typeof jobKindNames)[number]

/** How each kind of long work is read and ended. */
export const jobKinds: Record<JobKindName, { read: Endpoint; end: Endpoint; hasPages: boolean }> = {
  crawl: { read: getCrawl, end: deleteCrawl, hasPages: true },
  batch: { read: getBatchScrape, end: deleteBatchScrape, hasPages: true },
  extract: { read: getExtract, end: deleteExtract, hasPages: false },
}
