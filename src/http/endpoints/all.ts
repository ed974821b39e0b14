export { getActivity } from './activity.ts'
export { deleteBatchScrape, getBatchScrape, getBatchScrapeErrors, postBatchScrape } from './batch-scrape.ts'
export { getCapabilities } from './capabilities.ts'
export {
  deleteCrawl,
  getActiveCrawls,
  getCrawl,
  getCrawlErrors,
  getOngoingCrawls,
  postCrawl,
  postCrawlPreview,
} from './crawl.ts'
export { postMap } from './map.ts'
export { postParse } from './parse.ts'
export { deleteInteractProfile, deleteProfile } from './profiles.ts'
export { getScrape, postScrape } from './scrape.ts'
export {
  getConcurrencyCheck,
  getCreditHistory,
  getCreditUsage,
  getQueueStatus,
  getTokenHistory,
  getTokenUsage,
} from './team.ts'
export { getDeliveries, postDeliveryReplay, postWebhookTest } from './webhooks.ts'
