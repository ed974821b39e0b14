export { getActivity } from './activity.ts'
export {
  deleteAgent,
  getAgent,
  getAgentSnapshot,
  getAgents,
  getAgentThread,
  getAgentTrace,
  postAgent,
} from './agent.ts'
export { deleteBatchScrape, getBatchScrape, getBatchScrapeErrors, postBatchScrape } from './batch-scrape.ts'
export {
  deleteBrowser,
  deleteBrowserProfile,
  deleteInteract,
  deleteInteractProfile,
  getBrowser,
  getBrowserProfiles,
  getBrowserReplay,
  getBrowsers,
  getInteract,
  getInteractProfiles,
  getInteractReplay,
  getInteracts,
  postBrowser,
  postBrowserExecute,
  postInteract,
  postInteractExecute,
} from './browser.ts'
export { getCapabilities } from './capabilities.ts'
export { postConsoleKey } from './console.ts'
export {
  deleteCrawl,
  getActiveCrawls,
  getCrawl,
  getCrawlErrors,
  getOngoingCrawls,
  postCrawl,
  postCrawlPreview,
} from './crawl.ts'
export { getDeveloperSearch, postDeveloperSearch } from './developer-search.ts'
export { postDocsSearch } from './docs-search.ts'
export { getBatchScrapeDownload, getCrawlDownload } from './download.ts'
export { deleteExtract, getExtract, postExtract } from './extract.ts'
export { getFeedback, postFeedback, postSearchFeedback } from './feedback.ts'
export { deleteScrapeInteract, postScrapeInteract } from './interact.ts'
export { getBatchScrapeEvents, getCrawlEvents } from './job-events.ts'
export { getJobTrace } from './job-trace.ts'
export { postMap } from './map.ts'
export {
  deleteOperatorKey,
  deleteOperatorTeam,
  getOperatorKeys,
  getOperatorOverview,
  getOperatorTeams,
  postOperatorKey,
  postOperatorTeam,
  postOperatorTeamChange,
} from './operator.ts'
export { getParse, postParse } from './parse.ts'
export { getPaper, getPapers, getResearchGithub, getSimilarPapers } from './research.ts'
export { postBatchScrapeRetry, postCrawlRetry } from './retry.ts'
export { getScrape, postScrape } from './scrape.ts'
export { postSearch } from './search.ts'
export { postSupportAsk } from './support.ts'
export {
  getConcurrencyCheck,
  getCreditHistory,
  getCreditUsage,
  getDailyUsage,
  getMe,
  getQueueStatus,
  getTokenHistory,
  getTokenUsage,
} from './team.ts'
export { getTeamEvents } from './team-events.ts'
export { getTrackedDifference, getTrackedPage, getTrackedPages } from './tracked-pages.ts'
export { getDeliveries, getDelivery, postDeliveryReplay, postWebhookTest } from './webhooks.ts'
