import { AppError, type ErrorCode } from '../../base/errors.ts'
import { findCrawl, listSkipped } from '../../store/frontier.ts'
import type { JobRow } from '../../store/jobs.ts'
import { childErrors } from '../parent-job.ts'
import type { CrawlNeeds } from './crawl.ts'
import { leftOutCodes } from './left-out.ts'
import { storedOptions } from './options.ts'
import { tallyCrawl } from './tally.ts'

const mostListed = 10_000
const mostSkipped = 1000

/** What became of the pages of a crawl that are not among its documents. */
export async function crawlErrors(needs: CrawlNeeds, row: JobRow) {
  const { query } = needs.store
  const crawl = await findCrawl(query, row.id)
  if (!crawl) throw new AppError('JOB_NOT_FOUND')
  const codes = leftOutCodes(storedOptions.read(crawl.options))
  const ended = (await childErrors(needs, row)).map((error) => ({
    ...error,
    reason: codes.get(error.code as ErrorCode),
  }))
  const leftOut = ended.flatMap(({ url, reason }) => (reason === undefined ? [] : [{ url, reason }]))
  const list = (reasons: string[], limit = mostListed) => listSkipped(query, { crawl, reasons, limit })
  const external = await list(['home page of another site'])
  const blocked = await list(['robots.txt'])
  const skipped = (await list([], mostSkipped)).map(({ url, reason }) => ({ url, reason }))
  return {
    errors: [
      ...ended.flatMap(({ reason, ...error }) => (reason === undefined ? [error] : [])),
      ...external.map((page) => ({
        id: page.id,
        url: page.url,
        code: 'EXTERNAL_LINK',
        error: 'Home pages of other sites are not scraped.',
      })),
    ],
    robotsBlocked: [...blocked, ...leftOut.filter(({ reason }) => reason === 'robots.txt')].map(
      ({ url }) => url,
    ),
    skipped: [...leftOut, ...skipped].slice(0, mostSkipped),
    summary: await tallyCrawl(needs, crawl, { hasEnded: row.finished_at !== null }),
  }
}
