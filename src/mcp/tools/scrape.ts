import { z } from 'zod'
import { scrapeRequest } from '../../features/scrape/schema.ts'
import { postScrape } from '../../http/endpoints/scrape.ts'
import { asRecord, showDocument } from '../document-text.ts'
import { contentFields, formatsOf, given, label, pageFields } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb } from '../tool.ts'

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
    timeout: timeout.unwrap().optional().describe('Time budget in milliseconds. Default: 60000.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { maxCharacters: most, formats, schema, prompt, question, ...options } = input
    const asked = formatsOf({ formats, schema, prompt, question })
    const answer = await call(postScrape, { body: { ...given({ ...options, formats: asked }), ...label } })
    const { text } = await showDocument(asRecord(answer).data, { most, fence })
    return { text }
  },
})
