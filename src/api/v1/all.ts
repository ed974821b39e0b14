export {
  deleteBatchScrapeErrorsV1,
  deleteBatchScrapeV1,
  getBatchScrapeErrorsV1,
  getBatchScrapeV1,
  postBatchScrapeV1,
} from './batch-scrape.ts'
export {
  deleteCrawlErrorsV1,
  deleteCrawlV1,
  getActiveCrawlsV1,
  getCrawlErrorsV1,
  getCrawlV1,
  getOngoingCrawlsV1,
  postCrawlV1,
} from './crawl.ts'
export { deleteExtractV1, getExtractV1, postExtractV1 } from './extract.ts'
export { postMapV1 } from './map.ts'
export { getScrapeV1, postScrapeV1 } from './scrape.ts'
export { postSearchV1 } from './search.ts'
export {
  getActivityV1,
  getConcurrencyCheckV1,
  getCreditHistoryV1,
  getCreditUsageV1,
  getQueueStatusV1,
  getTokenHistoryV1,
  getTokenUsageV1,
} from './team.ts'
