import { z } from 'zod'
import { crawlRequest, previewOptions, previewRequest } from '../../features/crawl/schema.ts'
import { type Endpoint, endpointsOf, envelope, jobId, ok, startErrors } from '../endpoint.ts'
import { errorList, parentJobEndpoints } from './parent-job.ts'

const defineEndpoint = endpointsOf({ tag: 'Crawl' })
const anyOptions = z.looseObject({})
const promptOptions = previewOptions.meta({ id: 'CrawlPreview' })

export const postCrawl = defineEndpoint({
  method: 'POST',
  path: '/v2/crawl',
  summary: 'Scrape the pages of a site in the background',
  body: crawlRequest.meta({ id: 'CrawlRequest' }),
  response: envelope({
    id: z.string().describe('Id of the crawl.'),
    url: z.string().describe('URL of the status.'),
    promptGeneratedOptions: promptOptions.optional().describe('Result of the prompt.'),
    finalCrawlerOptions: anyOptions.optional().describe('The options of the crawl; present with a prompt.'),
  }),
  errors: startErrors,
  async handle({ app, team, body, idempotencyKey, publicUrl, signal }) {
    const caller = { idempotencyKey, signal: signal() }
    const { id, promptPreview, options } = await app.startCrawl(team, body, caller)
    const url = `${publicUrl}/v2/crawl/${id}`
    if (!promptPreview) return ok({ id, url })
    const { warning } = promptPreview
    return ok({
      ...{ id, url, promptGeneratedOptions: promptPreview.options, finalCrawlerOptions: { ...options } },
      ...(warning === undefined ? {} : { warning }),
    })
  },
})

export const {
  status: getCrawl,
  cancel: deleteCrawl,
  events: getCrawlEvents,
  download: getCrawlDownload,
  retry: postCrawlRetry,
} = parentJobEndpoints({ kind: 'crawl', path: '/v2/crawl', tag: 'Crawl', noun: 'crawl' })

export const getCrawlErrors = defineEndpoint({
  method: 'GET',
  path: '/v2/crawl/{id}/errors',
  summary: 'List the pages of a crawl that failed or were skipped, with reasons',
  params: jobId,
  response: envelope({
    errors: errorList.describe(
      'Failed pages, as many as summary.failed, and skipped home pages of other sites (EXTERNAL_LINK).',
    ),
    robotsBlocked: z.array(z.string()).describe('URLs that robots.txt disallows.'),
    skipped: z
      .array(z.object({ url: z.string(), reason: z.string() }))
      .describe('URLs that were not scraped; at most 1,000.'),
    summary: z
      .object({
        completed: z.int(),
        failed: z.int(),
        cancelled: z.int(),
        living: z.int(),
        waiting: z.int(),
        skipped: z.record(z.string(), z.int()).describe('Counts by reason.'),
      })
      .describe('Discovered URLs by state. Each URL is counted once.'),
  }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok(await app.crawlErrors(team, params.id)),
})

const activeCrawl = z.object({
  id: z.string(),
  teamId: z.string(),
  url: z.string(),
  created_at: z.string(),
  options: z.looseObject({ scrapeOptions: anyOptions }),
})

export const getActiveCrawls = defineEndpoint({
  method: 'GET',
  path: '/v2/crawl/active',
  summary: 'List the running crawls of the team',
  response: envelope({ crawls: z.array(activeCrawl) }),
  handle: async ({ app, team }) => ok({ crawls: await app.activeCrawls(team) }),
})

export const getOngoingCrawls: Endpoint = {
  ...getActiveCrawls,
  path: '/v2/crawl/ongoing',
  summary: `${getActiveCrawls.summary} (older path)`,
}

export const postCrawlPreview = defineEndpoint({
  method: 'POST',
  path: '/v2/crawl/params-preview',
  summary: 'Convert a prompt into options for a crawl',
  body: previewRequest,
  response: envelope({ data: promptOptions }),
  errors: ['BAD_URL'],
  async handle({ app, team, body, signal }) {
    const { options, warning } = await app.previewCrawl(team, body, signal())
    return ok({ data: options, ...(warning === undefined ? {} : { warning }) })
  },
})
