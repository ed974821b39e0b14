import { z } from 'zod'
import { list, text } from '../../base/bounded.ts'
import { postBatchScrape } from '../../http/endpoints/batch-scrape.ts'
import { asRecord } from '../document-text.ts'
import { showJob } from '../job-text.ts'
import { contentFields, formatsOf, given, label, pageFields } from '../page-options.ts'
import { defineTool, maxCharacters, startsReading, waitSeconds } from '../tool.ts'

export const batchScrape = defineTool({
  name: 'batch_scrape',
  title: 'Read several web pages',
  description:
    'Reads several known URLs at the same time. Waits a while, then returns the pages that are ready and an id; job_status reads on.',
  hints: startsReading,
  input: z.strictObject({
    urls: list(text('MAX_URL_LENGTH'), 'MAX_BATCH_URLS').min(1).describe('The pages.'),
    ...contentFields,
    ...pageFields,
    waitSeconds: waitSeconds(20),
    maxCharacters,
  }),
  async run(tool) {
    const { waitSeconds: seconds, maxCharacters: most, ...input } = tool.input
    const { formats, schema, prompt, question, ...options } = input
    const asked = formatsOf({ formats, schema, prompt, question })
    const body = { ...given({ ...options, formats: asked }), ...label }
    const { id } = asRecord(await tool.call(postBatchScrape, { body }))
    return showJob(tool, { kind: 'batch', id: String(id), seconds, skip: 0, limit: 20, most })
  },
})
