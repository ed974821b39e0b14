import { z } from 'zod'
import { crawlRequest } from '../../../features/crawl/schema.ts'
import { present } from '../../../features/present.ts'
import { boundedInteger, boundedText } from '../../../platform/bounded.ts'
import { formatDocument, formatValues } from '../document-text.ts'
import { formatJob, jobKindNames, jobKinds, startJob, storedDocument } from '../job-text.ts'
import { contentFields, formatsOf, label, pageFields } from '../page-options.ts'
import { defineTool, ends, maxCharacters, readsOnly, startsReading, waitSeconds } from '../tool.ts'

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
    const { waitSeconds: seconds, maxCharacters, ...input } = tool.input
    const { formats, schema, question, onlyMainContent, ...options } = input
    const scrapeOptions = present({
      onlyMainContent,
      formats: formatsOf({ formats, schema, question }),
    })
    const body = { ...present(options), scrapeOptions, ...label }
    return startJob(tool, body, { kind: 'crawl', seconds, maxCharacters })
  },
})

const id = boundedText('MAX_ID_LENGTH').describe('The id of the job.')
const kind = z.enum(jobKindNames).default('crawl').describe('What the job is.')

export const jobStatus = defineTool({
  name: 'job_status',
  title: 'Read how a job stands',
  description:
    'Reads the progress of a crawl, batch or extract and the pages or values it has so far. Pages come in order; skip reads on. waitSeconds waits for the end, which is better than asking again and again.',
  hints: readsOnly,
  input: z.strictObject({
    id,
    kind,
    skip: boundedInteger('MAX_MCP_OFFSET', 0).default(0).describe('Pages to leave out at the start.'),
    limit: boundedInteger('MAX_MCP_PAGES', 1).default(20).describe('Most pages in the answer.'),
    waitSeconds: waitSeconds(0),
    maxCharacters,
  }),
  run(tool) {
    const { waitSeconds: seconds, maxCharacters, ...reading } = tool.input
    return formatJob(tool, { ...reading, seconds, maxCharacters })
  },
})

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'End a job',
  description: 'Cancels a crawl, batch or extract. What it has read so far stays readable.',
  hints: ends,
  input: z.strictObject({ id, kind }),
  async run({ input, call }) {
    const response = await call(jobKinds[input.kind].end, { params: { id: input.id } })
    return formatValues(response, { limit: 10_000 })
  },
})

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read on in a result',
  description:
    'Reads a page again that scrape, parse, search, crawl or batch_scrape has brought, without fetching it again: a later part of a long text, or another field of it.',
  hints: readsOnly,
  input: z.strictObject({
    scrapeId: boundedText('MAX_ID_LENGTH').describe('The scrapeId that stands with the page.'),
    field: boundedText('MAX_LABEL_LENGTH').default('markdown').describe('Which field of the result.'),
    offset: boundedInteger('MAX_MCP_OFFSET', 0).default(0).describe('The first character.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { scrapeId, field, offset, maxCharacters } = input
    const document = await storedDocument(call, scrapeId)
    return formatDocument(document, { limit: maxCharacters, fence, from: { field, offset } })
  },
})
