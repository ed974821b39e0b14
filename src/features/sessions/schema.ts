import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { callLabels, flag, integer, optionalFlag, profileShape } from '../scrape/schema.ts'

export const lifetimeFields = {
  ttl: integer(30, 3600).default(600).describe('Maximum lifetime of the session in seconds.'),
  activityTtl: integer(10, 3600).default(300).describe('Seconds without activity until the session ends.'),
}

export const sessionRequest = z.strictObject({
  ...lifetimeFields,
  streamWebView: flag(true, 'True if the session has a live view.'),
  profile: profileShape.optional().describe('Storage that is kept after the session ends.'),
  recordSession: optionalFlag('Sessions are not recorded.'),
  ...callLabels,
})

export type SessionRequest = z.output<typeof sessionRequest>

export const defaultTimeoutSeconds = 30

export const codeFields = {
  code: boundedText('MAX_SCRIPT_LENGTH')
    .min(1)
    .describe('Code that runs with `page`, `context` and `browser`.'),
  language: z
    .enum(['python', 'node', 'bash'])
    .default('node')
    .describe('Language of the code; `bash` includes the command agent-browser.'),
}

export const executeRequest = z.strictObject({
  ...codeFields,
  timeout: integer(1, 300).default(defaultTimeoutSeconds).describe('Time limit of the code in seconds.'),
  ...callLabels,
})

export type ExecuteRequest = z.output<typeof executeRequest>

const output = z.string().nullable()

export const runResult = {
  stdout: output,
  result: output.describe('Value of the last expression; for a prompt, the page at the end.'),
  stderr: output,
  exitCode: z.int().nullable().describe('0 means success.'),
  killed: z.boolean().describe('True if the run reached its timeout.'),
  error: z.string().optional().describe('Error of the run.'),
  truncated: optionalFlag('True if the output was truncated.'),
}

export const sessionUrlFields = {
  cdpUrl: z.string().describe('WebSocket of the DevTools protocol, for Playwright and Puppeteer.'),
  liveViewUrl: z
    .string()
    .describe('URL of a page to watch the browser live; empty if the session is not streamed.'),
  interactiveLiveViewUrl: z.string().describe('URL of a page to watch and control the browser.'),
}

export const sessionStatus = z.enum(['active', 'destroyed', 'error'])

const sessionFields = z.object({
  id: z.string(),
  status: sessionStatus,
  ...sessionUrlFields,
  streamWebView: z.boolean(),
  createdAt: z.string(),
  lastActivity: z.string(),
})

export const sessionList = z
  .array(sessionFields.meta({ id: 'Session' }))
  .describe('Newest first; at most 1,000.')

export const sessionDetails = {
  ...sessionFields.shape,
  expiresAt: z.string(),
  sessionDurationMs: z.int().optional().describe('Duration of the session.'),
  creditsBilled: z.int().optional().describe('Cost of the session, after its end.'),
  error: z.string().optional().describe('Reason for the end, unless the session ended normally.'),
}

export const sessionEnding = {
  status: sessionStatus,
  sessionDurationMs: z.int(),
  creditsBilled: z.int(),
}
