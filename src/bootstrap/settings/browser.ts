import { availableParallelism, totalmem } from 'node:os'
import { z } from 'zod'
import { wholeNumber } from './fields.ts'

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

export function readBrowserSettings(values: z.infer<z.ZodObject<typeof browserVariables>>) {
  return {
    permits: values.BROWSER_PAGES,
    sparePermits: Math.ceil(values.BROWSER_PAGES / 2),
    waitingPages: values.BROWSER_WAITING_PAGES,
    pageMegabytes: values.BROWSER_PAGE_MB,
    browserMegabytes: values.BROWSER_MB,
  }
}

function memoryShare(divisor: number): number {
  const allowed = process.constrainedMemory() || totalmem()
  return Math.max(200, Math.floor(Math.min(totalmem(), allowed) / divisor / 1024 ** 2))
}

export const sessionVariables = {
  SESSION_MEMORY_MB: wholeNumber(300, 1_000_000)
    .default(2000)
    .describe('Memory of the browser of one session, in megabytes. If it uses more, the session ends.'),
  SESSIONS_MEMORY_MB: wholeNumber(300, 100_000_000)
    .default(Math.floor((Math.min(totalmem(), process.constrainedMemory() || totalmem()) * 0.75) / 1024 ** 2))
    .describe(
      'Memory of all sessions of one machine, over all its processes, in megabytes. A session counts as much as it may take: its browser and its code.',
    )
    .meta({ shown: 'three quarters of the memory' }),
  CODE_MEMORY_MB: wholeNumber(256, 1_000_000)
    .default(1024)
    .describe('Memory of all code of one session, in megabytes, including kernel memory.'),
  CODE_FILES: wholeNumber(1000, 10_000_000)
    .default(100_000)
    .describe('Files and folders that the code of one session may create, of any size.'),
  CODE_CONNECTIONS: wholeNumber(8, 1000)
    .default(64)
    .describe('Open connections from the code of one session to its browser.'),
  CODE_OUTPUT_MB: wholeNumber(2, 100_000)
    .default(256)
    .describe(
      'Output of code in one call, in megabytes; the first megabyte is returned. If it writes more, it ends.',
    ),
  SANDBOX_CGROUP: z
    .string()
    .min(1)
    .optional()
    .describe(
      'cgroup v2 folder in which every sandbox gets its own group, so that the kernel limits its memory.',
    )
    .meta({ shown: "the service's own, if it is writable" }),
  CLIENT_UNREAD_MB: wholeNumber(1, 10_000)
    .default(64)
    .describe(
      'Unread data of a DevTools client, in megabytes, in addition to one message. Above this, it is disconnected.',
    ),
}

export function readSessionSettings(values: z.infer<z.ZodObject<typeof sessionVariables>>) {
  return {
    cgroup: values.SANDBOX_CGROUP,
    unread: { megabytes: values.CLIENT_UNREAD_MB },
    browserMegabytes: values.SESSION_MEMORY_MB,
    memory: {
      eachMegabytes: values.SESSION_MEMORY_MB + values.CODE_MEMORY_MB,
      totalMegabytes: values.SESSIONS_MEMORY_MB,
    },
    code: {
      megabytes: values.CODE_MEMORY_MB,
      files: values.CODE_FILES,
      connections: values.CODE_CONNECTIONS,
      outputMegabytes: values.CODE_OUTPUT_MB,
    },
  }
}
