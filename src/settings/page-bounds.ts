import type { z } from 'zod'
import { wholeNumber } from './fields.ts'

/** Size limits of pages and responses, and how long a response may stay unread. */
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

type Found = { [Name in keyof typeof pageBounds]: z.output<(typeof pageBounds)[Name]> }

export function boundsOf(found: Found) {
  return {
    bounds: {
      page: {
        html: bytesOf(found.MAX_HTML_MB),
        text: bytesOf(found.MAX_TEXT_MB),
        file: bytesOf(found.MAX_FILE_MB),
      },
      answerBytes: bytesOf(found.MAX_ANSWER_MB),
      largePages: found.LARGE_PAGES,
    },
    answers: { stallMs: found.ANSWER_STALL_SECONDS * 1000, mostUnread: bytesOf(found.MAX_UNREAD_MB) },
  }
}

const bytesOf = (megabytes: number) => megabytes * 1024 * 1024
