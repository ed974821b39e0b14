import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { executeRequest, sessionRequest, sessionStatus } from '../../features/sessions/schema.ts'
import { deleteBrowser, getBrowsers, postBrowser, postBrowserExecute } from '../../http/endpoints/browser.ts'
import { given, label, optional } from '../page-options.ts'
import { showRun } from '../run-text.ts'
import { actsOnWeb, defineTool, ends, maxCharacters, readsOnly } from '../tool.ts'
import { showValues } from '../values-text.ts'

const sessionId = text('MAX_ID_LENGTH').describe('The id that browser_open returned.')
const { ttl, activityTtl } = sessionRequest.shape
const { code, language, timeout } = executeRequest.shape

export const browserOpen = defineTool({
  name: 'browser_open',
  title: 'Open a browser',
  description:
    'Opens a browser that stays open between calls, for work that needs several steps. Drive it with browser_execute and close it with browser_close: it costs credits by the minute. liveViewUrl shows it to a person.',
  hints: { ...actsOnWeb, destructiveHint: false, openWorldHint: false },
  input: z.strictObject({ ttl: optional(ttl), activityTtl: optional(activityTtl) }),
  async run({ input, call }) {
    return showValues(await call(postBrowser, { body: { ...given(input), ...label } }), { most: 10_000 })
  },
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
    timeout: timeout.unwrap().optional().describe('Seconds. Default: 30.'),
    maxCharacters,
  }),
  async run({ input, call, fence }) {
    const { sessionId: id, maxCharacters: most, ...options } = input
    const body = { ...given(options), ...label }
    return showRun(await call(postBrowserExecute, { params: { id }, body }), { most, fence })
  },
})

export const browserClose = defineTool({
  name: 'browser_close',
  title: 'Close a browser',
  description: 'Closes a browser that browser_open has opened, and returns what it cost.',
  hints: ends,
  input: z.strictObject({ sessionId }),
  async run({ input, call }) {
    return showValues(await call(deleteBrowser, { params: { id: input.sessionId } }), { most: 10_000 })
  },
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
  async run({ input: { status, maxCharacters: most }, call }) {
    return showValues(await call(getBrowsers, { query: { status } }), { most })
  },
})
