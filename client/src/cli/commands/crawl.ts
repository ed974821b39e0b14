import { argument, type Run } from '../command.ts'
import { getPagesTarget } from '../output/target.ts'
import { addPageRequest } from '../page-request.ts'
import { startJob } from '../start-job.ts'
import { UsageError } from '../usage-error.ts'
import { watchPages } from '../watch-pages.ts'

export const run: Run = async (context) => {
  getPagesTarget(context)
  addPageRequest(context, 'scrapeOptions.')
  const url = argument(context, 0)
  const resumed = context.values.texts.get('resume')
  if (resumed !== undefined) {
    if (url !== '' || Object.keys(context.body).length > 0)
      throw new UsageError(
        'A crawl that was started keeps its address and options: --resume ID goes without others.',
      )
    return watchPages(context, context.winnow.crawlJob(resumed))
  }
  if (url === '') throw new UsageError('URL is missing: where to begin. To go on with a crawl: --resume ID')
  const job = await startJob(context, 'crawl', (start) => context.winnow.startCrawl(url, context.body, start))
  return watchPages(context, job)
}
