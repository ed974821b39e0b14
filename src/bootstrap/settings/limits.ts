import { availableParallelism } from 'node:os'
import type { z } from 'zod'
import { wholeNumber } from './fields.ts'

export const limitVariables = {
  TEAM_CREDITS: wholeNumber(0, 1e12)
    .optional()
    .describe('Balance given to a new team.')
    .meta({ shown: 'unlimited' }),
  TEAM_CONCURRENCY: wholeNumber(1, 100_000)
    .default(8 * availableParallelism())
    .describe('Scrapes and parses of one team that run at the same time.')
    .meta({ shown: '8 per core' }),
  TEAM_BROWSERS: wholeNumber(0, 10_000)
    .default(20)
    .describe('Browser sessions of one team that are open at the same time.'),
  RATE_PER_MINUTE: wholeNumber(1, 1e9)
    .default(600)
    .describe(
      'Calls per team and minute that start work; the limit of calls that only read is ten times as high.',
    ),
  TEAM_DAILY_REFUNDS: wholeNumber(0, 1e9)
    .default(100)
    .describe('Credits that one team gets back per day (UTC) for feedback on searches.'),
  FEEDBACK_MINUTES: wholeNumber(1, 24 * 60 * 365)
    .default(60)
    .describe('How long after its end a job takes feedback; never longer than RETENTION_HOURS.'),
  SUPPORT_SECONDS: wholeNumber(1, 60)
    .default(60)
    .describe('How long one question to the support agent may take, the trials of remedies included.'),
  SUPPORT_TRIALS_PER_DAY: wholeNumber(0, 1e9)
    .default(200)
    .describe('Trials of remedies that the support agent may run for one team per day (UTC); 0: none.'),
  LEASE_SECONDS: wholeNumber(3, 600)
    .default(12)
    .describe('How long a process may be silent before others take over its jobs and end its sessions.'),
  MAX_REQUEST_MB: wholeNumber(1, 1024).default(10).describe('Largest JSON body of a call, in megabytes.'),
  MAX_CONNECTIONS: wholeNumber(10, 1_000_000)
    .default(4000)
    .describe(
      'Open connections. At the limit, a new connection replaces one that is idle or waits for a request body: of the address or team that has most of these, the longest. Calls in progress take at most half of them for one team and three quarters for all teams; a tenth is for teams that have no call in progress.',
    ),
  MAX_UNFINISHED_MB: wholeNumber(128, 1_000_000)
    .default(512)
    .describe(
      'Request bodies that are being received, and uploaded files of calls that are not answered yet, in megabytes. One team, or one address without a key, has half of it; uploads wait for their share, other bodies are refused.',
    ),
  REQUEST_STALL_SECONDS: wholeNumber(1, 3600)
    .default(60)
    .describe(
      'A request whose body brings nothing for this long, or less than 4 KB per second on average, is refused.',
    ),
  MAX_SOCKETS: wholeNumber(1, 1_000_000)
    .default(1000)
    .describe(
      'Connections that stay open (event streams, WebSockets, calls of /mcp, downloads) of all teams together, per process. A tenth is kept for teams that have none open.',
    ),
  MAX_SOCKETS_PER_TEAM: wholeNumber(1, 1_000_000)
    .default(200)
    .describe(
      'Connections of one team that stay open, per process: event streams, WebSockets, calls of /mcp, downloads.',
    ),
  MAX_UPGRADES_PER_ADDRESS: wholeNumber(1, 1_000_000)
    .default(50)
    .describe('WebSockets of one address that have not sent a valid key or token yet.'),
}

export function readLimits(values: z.infer<z.ZodObject<typeof limitVariables>>) {
  return {
    teamCredits: values.TEAM_CREDITS,
    teamConcurrency: values.TEAM_CONCURRENCY,
    teamBrowsers: values.TEAM_BROWSERS,
    ratePerMinute: values.RATE_PER_MINUTE,
    feedback: { dailyRefunds: values.TEAM_DAILY_REFUNDS, windowMs: values.FEEDBACK_MINUTES * 60_000 },
    supportMs: values.SUPPORT_SECONDS * 1000,
    supportTrialsPerDay: values.SUPPORT_TRIALS_PER_DAY,
    leaseMs: values.LEASE_SECONDS * 1000,
    sockets: {
      all: values.MAX_SOCKETS,
      perTeam: values.MAX_SOCKETS_PER_TEAM,
      // Behind an untrusted proxy, all callers share one address, which must not take all connections.
      perAddress: Math.min(values.MAX_UPGRADES_PER_ADDRESS, Math.floor(values.MAX_CONNECTIONS / 2)),
    },
    unfinished: {
      maxBytes: toBytes(values.MAX_UNFINISHED_MB),
      stallMs: values.REQUEST_STALL_SECONDS * 1000,
    },
  }
}

export const pageBounds = {
  MAX_HTML_MB: wholeNumber(1, 512)
    .default(32)
    .describe('Largest web page that the service reads, after decompression, in MB.'),
  MAX_TEXT_MB: wholeNumber(1, 512)
    .default(32)
    .describe('Largest text other than HTML (plain text, JSON, XML, CSV) that the service reads, in MB.'),
  MAX_FILE_MB: wholeNumber(1, 512)
    .default(64)
    .describe('Largest file of any other kind that the service fetches, in MB.'),
  MAX_ANSWER_MB: wholeNumber(1, 512)
    .default(64)
    .describe('Largest document of one page in all its formats together, in MB.'),
  LARGE_PAGES: wholeNumber(1, 1000)
    .default(6)
    .describe('Pages of more than 1 MB in memory at the same time; others wait, and teams take turns.'),
  ANSWER_STALL_SECONDS: wholeNumber(1, 3600)
    .default(60)
    .describe('A connection that reads nothing of its response for this long is closed.'),
  MAX_UNREAD_MB: wholeNumber(1, 100_000)
    .default(256)
    .describe('Unread responses in memory; above this, the connections that read slowest are closed.'),
}

export function readPageBounds(values: z.infer<z.ZodObject<typeof pageBounds>>) {
  return {
    bounds: {
      page: {
        html: toBytes(values.MAX_HTML_MB),
        text: toBytes(values.MAX_TEXT_MB),
        file: toBytes(values.MAX_FILE_MB),
      },
      answerBytes: toBytes(values.MAX_ANSWER_MB),
      largePages: values.LARGE_PAGES,
    },
    responses: { stallMs: values.ANSWER_STALL_SECONDS * 1000, maxUnread: toBytes(values.MAX_UNREAD_MB) },
  }
}

const toBytes = (megabytes: number) => megabytes * 1024 * 1024
