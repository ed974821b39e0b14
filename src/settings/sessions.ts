import { totalmem } from 'node:os'
import { z } from 'zod'
import { wholeNumber } from './fields.ts'

/** Resource limits for the browser and the code of one session. */
export const sessionVariables = {
  SESSION_MEMORY_MB: wholeNumber(300, 1_000_000)
    .default(2000)
    .describe('Memory of the browser of one session, in megabytes. If it uses more, the session ends.'),
  SESSIONS_MEMORY_MB: wholeNumber(300, 100_000_000)
    .default(Math.floor((Math.min(totalmem(), process.constrainedMemory() || totalmem()) * 0.75) / 1024 ** 2))
    .describe(
      'Memory of all sessions of one process, in megabytes. A session counts as much as it may take: its browser and its code.',
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

type Found = z.infer<z.ZodObject<typeof sessionVariables>>

export function sessionLimits(found: Found) {
  return {
    cgroup: found.SANDBOX_CGROUP,
    unread: { megabytes: found.CLIENT_UNREAD_MB },
    browserMegabytes: found.SESSION_MEMORY_MB,
    memory: {
      eachMegabytes: found.SESSION_MEMORY_MB + found.CODE_MEMORY_MB,
      totalMegabytes: found.SESSIONS_MEMORY_MB,
    },
    code: {
      megabytes: found.CODE_MEMORY_MB,
      files: found.CODE_FILES,
      connections: found.CODE_CONNECTIONS,
      outputMegabytes: found.CODE_OUTPUT_MB,
    },
  }
}
