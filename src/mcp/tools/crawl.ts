import { z } from 'zod'
import { crawlRequest } from '../../features/crawl/schema.ts'
import { postCrawl } from '../../http/endpoints/crawl.ts'
import { asRecord } from '../document-text.ts'
import { showJob } from '../job-text.ts'
import { contentFields, formatsOf, given, label, pageFields } from '../page-options.ts'
import { defineTool, maxCharacters, startsReading, waitSeconds } from '../tool.ts'

const { url, prompt, includePaths, excludePaths, maxDiscoveryDepth, crawlEntireDomain, allowSubdomains } =
  crawlRequest.shape
const { formats, schema, question } = contentFields

export const crawl = defineTool({
  name: 'crawl',
  title: 'Read many pages of a site',
  description:
    'Follows the links of a site and reads its pages in the background. Waits a while, then returns the pages that are ready and an id; job_status reads on. Set limit: a crawl costs one credit a page. For one page use scrape.',
  hints: startsReading,
  input: z.strictObject({
    url,
    limit: crawlRequest.shape.limit.unwrap().default(20).describe('Most pages.'),
    prompt: prompt.describe('What to crawl, in plain language; becomes paths and depth.'),
    includePaths,
    excludePaths,
    maxDiscoveryDepth,
    crawlEntireDomain,
    allowSubdomains,
    ...{ formats, schema, question },
    onlyMainContent: pageFields.onlyMainContent,
    waitSeconds: waitSeconds(20),
    maxCharacters,
  }),
  async run(tool) {
    const { waitSeconds: seconds, maxCharacters: most, ...input } = tool.input
    const { formats, schema, question, onlyMainContent, ...options } = input
    const scrapeOptions = given({ onlyMainContent, formats: formatsOf({ formats, schema, question }) })
    const body = { ...given(options), scrapeOptions, ...label }
    const { id } = asRecord(await tool.call(postCrawl, { body }))
    return showJob(tool, { kind: 'crawl', id: String(id), seconds, skip: 0, limit: 20, most })
  },
})
