import type { z } from 'zod'
import { wholeNumber } from './fields.ts'

/** How large pages and answers may be, and how long an answer waits to be read. */
export const pageBounds = {
  MAX_HTML_MB: wholeNumber(1, 512)
    .default(32)
    .describe('Largest web page that is read, after decompression, in MB.'),
  MAX_TEXT_MB: wholeNumber(1, 512)
    .default(32)
    .describe('Largest text that is not HTML (plain text, JSON, XML, CSV) that is read, in MB.'),
  MAX_FILE_MB: wholeNumber(1, 512)
    .default(64)
    .describe('Largest file of another kind that is fetched, in MB.'),
  MAX_ANSWER_MB: wholeNumber(1, 512)
    .default(64)
    .describe('Largest document of one page in all its formats together, in MB.'),
  LARGE_PAGES: wholeNumber(1, 1000)
    .default(6)
    .describe(
      'Pages of more than 1 MB that are held in memory at the same time; others wait, fairly by team.',
    ),
  ANSWER_STALL_SECONDS: wholeNumber(1, 3600)
    .default(60)
    .describe('A connection on which nothing is read for so long, while an answer waits, is cut.'),
  MAX_UNREAD_MB: wholeNumber(1, 100_000)
    .default(256)
    .describe('Answers that wait in memory to be read; beyond it those are cut that are read slowest.'),
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
