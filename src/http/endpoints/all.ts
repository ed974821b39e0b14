export { getActivity } from './activity.ts'
export { deleteBatchScrape, getBatchScrape, getBatchScrapeErrors, postBatchScrape } from './batch-scrape.ts'
export { getCapabilities } from './capabilities.ts'
export { getScrape, postScrape } from './scrape.ts'
export {
  getConcurrencyCheck,
  getCreditHistory,
  getCreditUsage,
  getQueueStatus,
  getTokenHistory,
  getTokenUsage,
} from './team.ts'
