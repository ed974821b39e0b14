import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { interactRequest } from '../../features/interact/schema.ts'
import { deleteScrapeInteract, postScrapeInteract } from '../../http/endpoints/interact.ts'
import { given, label, optional } from '../page-options.ts'
import { showRun } from '../run-text.ts'
import { actsOnWeb, defineTool, ends, maxCharacters } from '../tool.ts'
import { showValues } from '../values-text.ts'

const { code, prompt, language, timeout } = interactRequest.shape
const scrapeId = text('MAX_ID_LENGTH').describe('The scrapeId of a page that scrape has read.')

export const interact = defineTool({
  name: 'interact',
  title: 'Work on a scraped page',
  description:
    'Opens the page of an earlier scrape in a browser and runs code there (Playwright, as browser_execute), or a task in plain language where the service has a language model. The browser stays open for further calls with the same scrapeId; interact_stop ends it.',
  hints: actsOnWeb,
  input: z.strictObject({
    scrapeId,
    code: code.describe('Code to run. Exactly one of code and prompt.'),
    prompt,
    language: optional(language),
    timeout,
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { scrapeId: id, maxCharacters: most, ...options } = input
    const body = { ...given(options), ...label }
    return showRun(await call(postScrapeInteract, { params: { id }, body }), { most, fence })
  },
})

export const interactStop = defineTool({
  name: 'interact_stop',
  title: 'End the work on a page',
  description: 'Closes the browser that interact has opened, and returns what it cost.',
  hints: ends,
  input: z.strictObject({ scrapeId }),
  async run({ input, call }) {
    return showValues(await call(deleteScrapeInteract, { params: { id: input.scrapeId } }), { most: 10_000 })
  },
})
