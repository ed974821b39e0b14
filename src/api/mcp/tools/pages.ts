import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { extractRequest } from '../../../features/extract/schema.ts'
import { present } from '../../../features/present.ts'
import { scrapeRequest } from '../../../features/scrape/schema.ts'
import { boundedList, boundedText } from '../../../platform/bounded.ts'
import { AppError } from '../../../platform/errors.ts'
import { withTemporaryFolder, writeTemporaryFile } from '../../../platform/temporary-files.ts'
import type { Upload } from '../../body/multipart.ts'
import { postParse, postScrape } from '../../endpoints/scrape.ts'
import { asRecord, formatDocument } from '../document-text.ts'
import { startJob } from '../job-text.ts'
import { contentFields, formatsOf, label, optional, pageFields, schemaField } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb, startsReading, waitSeconds } from '../tool.ts'

const { url, timeout } = scrapeRequest.shape

export const scrape = defineTool({
  name: 'scrape',
  title: 'Read a web page',
  description:
    'Fetches one web page or file (HTML, PDF, Word, Excel, …) and returns it as clean Markdown. Runs a browser where the page needs one. Use it when you know the URL; use search to find pages, map to list the pages of a site, crawl to read many. A long page is cut, and the answer says how to read on.',
  hints: readsWeb,
  input: z.strictObject({
    url,
    ...contentFields,
    ...pageFields,
    timeout: optional(timeout).describe('Time budget in milliseconds. Default: 60000.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters, formats, schema, prompt, question, ...options } = input
    const requestFormats = formatsOf({ formats, schema, prompt, question })
    const body = { ...present({ ...options, formats: requestFormats }), ...label }
    const { data } = asRecord(await call(postScrape, { body }))
    return formatDocument(data, { limit: maxCharacters, fence })
  },
})

export const batchScrape = defineTool({
  name: 'batch_scrape',
  title: 'Read several web pages',
  description:
    'Reads several known URLs at the same time. Waits a while, then returns the pages that are ready and an id; job_status reads on.',
  hints: startsReading,
  input: z.strictObject({
    urls: boundedList(boundedText('MAX_URL_LENGTH'), 'MAX_BATCH_URLS').min(1).describe('The pages.'),
    ...contentFields,
    ...pageFields,
    waitSeconds: waitSeconds(20),
    maxCharacters,
  }),
  async run(tool) {
    const { waitSeconds: seconds, maxCharacters, ...input } = tool.input
    const { formats, schema, prompt, question, ...options } = input
    const requestFormats = formatsOf({ formats, schema, prompt, question })
    const body = { ...present({ ...options, formats: requestFormats }), ...label }
    return startJob(tool, body, { kind: 'batch', seconds, maxCharacters })
  },
})

const input = z.strictObject({
  url: scrapeRequest.shape.url.optional().describe('Where the file is. Exactly one of url and content.'),
  content: boundedText('MAX_MCP_CONTENT_LENGTH').min(1).optional().describe('The file itself.'),
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .describe('How content stands for the bytes of the file: base64 for everything that is not plain text.'),
  name: boundedText('MAX_FILE_NAME_LENGTH')
    .min(1)
    .optional()
    .describe('Name of the file, with its ending: report.docx.'),
  ...contentFields,
  maxCharacters,
})

export const parse = defineTool({
  name: 'parse',
  title: 'Read a file',
  description:
    'Converts a file (PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV, images with text, HTML, …) to Markdown: from a URL, or from content that you send along with a name.',
  hints: readsWeb,
  input,
  async run({ input, call, fence, holdFile }) {
    const { url, content, maxCharacters } = input
    if ((url === undefined) === (content === undefined))
      throw createBadRequest('Give exactly one of url and content.')
    const body = { ...present({ formats: formatsOf(input) }), ...label }
    const response =
      url === undefined
        ? await withFile(input, holdFile, (upload) => call(postParse, { body, upload }))
        : await call(postScrape, { body: { url, ...body } })
    return formatDocument(asRecord(response).data, { limit: maxCharacters, fence })
  },
})

/** Writes the file to a temporary folder that exists during the call. Its name never becomes a path. */
async function withFile<Result>(
  { content = '', encoding, name }: z.output<typeof input>,
  holdFile: (bytes: number, use: () => Promise<Result>) => Promise<Result>,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) throw createBadRequest('content needs a name, such as report.docx.')
  if (encoding === 'base64' && /[^\sA-Za-z0-9+/_=-]/.test(content))
    throw createBadRequest('content is no base64.')
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
  return holdFile(bytes.length, () =>
    withTemporaryFolder('upload', async (folder) => {
      const path = join(folder, randomBytes(8).toString('hex'))
      await writeTemporaryFile(path, bytes)
      return use({ path, name, mediaType: undefined, size: bytes.length })
    }),
  )
}

const createBadRequest = (message: string) => new AppError('BAD_REQUEST', { details: [] }, { message })

const { urls, prompt, limit, showSources, enableWebSearch } = extractRequest.shape

export const extract = defineTool({
  name: 'extract',
  title: 'Read values from several pages',
  description:
    'Reads values from one or several pages, or from a whole site (a URL that ends in /*), and joins them to one object in the shape of the schema. Values by a schema need no language model; a prompt alone does.',
  hints: startsReading,
  input: z.strictObject({
    urls: optional(urls).describe('Pages to read. One that ends in /* stands for the site below it.'),
    schema: schemaField.describe('JSON schema of the values.'),
    prompt,
    limit: optional(limit).describe('Most pages of a site.'),
    showSources: optional(showSources),
    enableWebSearch: optional(enableWebSearch),
    waitSeconds: waitSeconds(30),
    maxCharacters,
  }),
  async run(tool) {
    const { waitSeconds: seconds, maxCharacters, ...options } = tool.input
    const body = { ...present(options), ...label }
    return startJob(tool, body, { kind: 'extract', seconds, maxCharacters })
  },
})
