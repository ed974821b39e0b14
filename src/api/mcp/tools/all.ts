export {
  browserClose,
  browserExecute,
  browserList,
  browserOpen,
  interact,
  interactStop,
} from './browser.ts'
export { cancelJob, crawl, jobStatus, readResult } from './jobs.ts'
export { batchScrape, extract, parse, scrape } from './pages.ts'
export { ask, map, search } from './search.ts'
