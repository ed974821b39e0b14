import { z } from 'zod'
import { interactRequest } from '../../../features/interact/interact.ts'
import { present } from '../../../features/present.ts'
import { executeRequest, sessionRequest, sessionStatus } from '../../../features/sessions/schema.ts'
import { boundedText } from '../../../platform/bounded.ts'
import {
  deleteBrowser,
  deleteScrapeInteract,
  getBrowsers,
  postBrowser,
  postBrowserExecute,
  postScrapeInteract,
} from '../../endpoints/browser.ts'
import { formatRun, formatValues } from '../document-text.ts'
import { label, optional } from '../page-options.ts'
import { actsOnWeb, defineTool, ends, maxCharacters, readsOnly } from '../tool.ts'

const sessionId = boundedText('MAX_ID_LENGTH').describe('The id that browser_open returned.')
const { ttl, activityTtl } = sessionRequest.shape
const { code, language, timeout } = executeRequest.shape

export const browserOpen = defineTool({
  name: 'browser_open',
  title: 'Open a browser',
  description:
    'Opens a browser that stays open between calls, for work that needs several steps. Drive it with browser_execute and close it with browser_close: it costs credits by the minute. liveViewUrl shows it to a person.',
  hints: { ...actsOnWeb, destructiveHint: false, openWorldHint: false },
  input: z.strictObject({ ttl: optional(ttl), activityTtl: optional(activityTtl) }),
  run: async ({ input, call }) =>
    formatValues(await call(postBrowser, { body: { ...present(input), ...label } }), { limit: 10_000 }),
})

export const browserExecute = defineTool({
  name: 'browser_execute',
  title: 'Run code in a browser',
  description:
    'Runs code in an open browser. node and python have Playwright objects page, context and browser (await page.goto(url)); bash has the command agent-browser. The value of the last expression is returned, beside what was printed.',
  hints: actsOnWeb,
  input: z.strictObject({
    sessionId,
    code,
    language: optional(language),
    timeout: optional(timeout).describe('Seconds. Default: 30.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { sessionId: id, maxCharacters: limit, ...options } = input
    const body = { ...present(options), ...label }
    return formatRun(await call(postBrowserExecute, { params: { id }, body }), { limit, fence })
  },
})

export const browserClose = defineTool({
  name: 'browser_close',
  title: 'Close a browser',
  description: 'Closes a browser that browser_open has opened, and returns what it cost.',
  hints: ends,
  input: z.strictObject({ sessionId }),
  run: async ({ input, call }) =>
    formatValues(await call(deleteBrowser, { params: { id: input.sessionId } }), { limit: 10_000 }),
})

export const browserList = defineTool({
  name: 'browser_list',
  title: 'List browsers',
  description: 'Lists the browser sessions of the team, newest first.',
  hints: readsOnly,
  input: z.strictObject({
    status: sessionStatus.default('active').describe('Only sessions in this state.'),
    maxCharacters,
  }),
  run: async ({ input: { status, maxCharacters: limit }, call }) =>
    formatValues(await call(getBrowsers, { query: { status } }), { limit }),
})

const scrapeId = boundedText('MAX_ID_LENGTH').describe('The scrapeId of a page that scrape has read.')

export const interact = defineTool({
  name: 'interact',
  title: 'Work on a scraped page',
  description:
    'Opens the page of an earlier scrape in a browser and runs code there (Playwright, as browser_execute), or a task in plain language where the service has a language model. The browser stays open for further calls with the same scrapeId; interact_stop ends it.',
  hints: actsOnWeb,
  input: z.strictObject({
    scrapeId,
    code: interactRequest.shape.code.describe('Code to run. Exactly one of code and prompt.'),
    prompt: interactRequest.shape.prompt,
    language: optional(interactRequest.shape.language),
    timeout: interactRequest.shape.timeout,
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { scrapeId: id, maxCharacters: limit, ...options } = input
    const body = { ...present(options), ...label }
    return formatRun(await call(postScrapeInteract, { params: { id }, body }), { limit, fence })
  },
})

export const interactStop = defineTool({
  name: 'interact_stop',
  title: 'End the work on a page',
  description: 'Closes the browser that interact has opened, and returns what it cost.',
  hints: ends,
  input: z.strictObject({ scrapeId }),
  run: async ({ input, call }) =>
    formatValues(await call(deleteScrapeInteract, { params: { id: input.scrapeId } }), { limit: 10_000 }),
})
