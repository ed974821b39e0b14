import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { callLabels, profileShape } from '../scrape/schema.ts'

/** The public shapes of sessions and of what is run in them. */

export const lifetimes = {
  ttl: z.int().min(30).max(3600).default(600).describe('Seconds the session lives at most.'),
  activityTtl: z
    .int()
    .min(10)
    .max(3600)
    .default(300)
    .describe('Seconds without any activity after which it ends.'),
}

export const sessionRequest = z.strictObject({
  ...lifetimes,
  streamWebView: z.boolean().default(true).describe('Whether it can be watched.'),
  profile: profileShape.optional().describe('Storage that outlives the session.'),
  recordSession: z.boolean().optional().describe('Sessions are not recorded here.'),
  ...callLabels,
})

export type SessionRequest = z.output<typeof sessionRequest>

const language = z
  .enum(['python', 'node', 'bash'])
  .default('node')
  .describe('What the code is written in; `bash` has the command agent-browser.')

/** Seconds for a run where the caller names none. */
export const usualTimeout = 30

export const codeFields = {
  code: text('MAX_SCRIPT_LENGTH').min(1).describe('Code that is run with `page`, `context` and `browser`.'),
  language,
}

export const executeRequest = z.strictObject({
  ...codeFields,
  timeout: z.int().min(1).max(300).default(usualTimeout).describe('Seconds the code may take.'),
  ...callLabels,
})

export type ExecuteRequest = z.output<typeof executeRequest>

const output = z.string().nullable()

/** What a run came to. */
export const runResult = {
  stdout: output,
  result: output.describe('The value of the last expression; for a prompt, the page at the end.'),
  stderr: output,
  exitCode: z.int().nullable().describe('0 means success.'),
  killed: z.boolean().describe('The run was ended because its time was up.'),
  error: z.string().optional().describe('What went wrong.'),
  truncated: z.boolean().optional().describe('There was more output than is returned.'),
}

export const addresses = {
  cdpUrl: z.string().describe('WebSocket of the DevTools protocol, for Playwright and Puppeteer.'),
  liveViewUrl: z.string().describe('Page to watch the browser; empty where the session is not streamed.'),
  interactiveLiveViewUrl: z.string().describe('Page to watch and to steer the browser.'),
}

export const sessionStatus = z.enum(['active', 'destroyed', 'error'])

const shownSession = z.object({
  id: z.string(),
  status: sessionStatus,
  ...addresses,
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
})

export const sessionList = z
  .array(shownSession.meta({ id: 'Session' }))
  .describe('Newest first; the last thousand.')

const ended = {
  sessionDurationMs: z.int().optional().describe('How long it lived.'),
  creditsBilled: z.int().optional().describe('What it cost, when it has ended.'),
}

export const sessionDetails = {
  ...shownSession.shape,
  expiresAt: z.string(),
  ...ended,
  error: z.string().optional().describe('Why it ended, where it did not end in peace.'),
}

/** The end of a session; the same however often it is asked for. */
export const sessionEnding = {
  status: sessionStatus,
  sessionDurationMs: z.int(),
  creditsBilled: z.int(),
}
