import { availableParallelism, totalmem } from 'node:os'
import { z } from 'zod'
import { wholeNumber } from './fields.ts'

/** The variables of the browser that scrapes share. */
export const browserVariables = {
  BROWSER_PAGES: wholeNumber(1, 1000)
    .default(2 * availableParallelism())
    .describe('Pages that the browser works on at the same time; half as many more for teams that have none.')
    .meta({ shown: '2 per core' }),
  BROWSER_WAITING_PAGES: wholeNumber(0, 10_000)
    .default(16 * availableParallelism())
    .describe(
      'Additional pages that stay open while they wait: for a site that does not answer, or by `waitFor`.',
    )
    .meta({ shown: '16 per core' }),
  BROWSER_PAGE_MB: wholeNumber(100, 1_000_000)
    .default(Math.min(1024, memoryShare(4)))
    .describe('Memory of one page in the browser, in megabytes. A page that uses more is closed.')
    .meta({ shown: '1024, or a quarter of the memory' }),
  BROWSER_MB: wholeNumber(200, 1_000_000)
    .default(Math.min(4096, memoryShare(2)))
    .describe('Memory of the whole browser, in megabytes. When it uses more, its largest page is closed.')
    .meta({ shown: '4096, or half of the memory' }),
}

const found = z.object(browserVariables)

export function browserSlice(given: z.infer<typeof found>) {
  return {
    places: given.BROWSER_PAGES,
    sparePlaces: Math.ceil(given.BROWSER_PAGES / 2),
    waitingPages: given.BROWSER_WAITING_PAGES,
    pageMegabytes: given.BROWSER_PAGE_MB,
    browserMegabytes: given.BROWSER_MB,
  }
}

/** A fraction of the memory that this process may use, in megabytes. */
function memoryShare(parts: number): number {
  const allowed = process.constrainedMemory() || totalmem()
  return Math.max(200, Math.floor(Math.min(totalmem(), allowed) / parts / 1024 ** 2))
}
