import { z } from 'zod'
import { wholeNumber } from './fields.ts'

/** What the browser and the code of one session may take of the machine. */
export const sessionVariables = {
  SESSION_MEMORY_MB: wholeNumber(300, 1_000_000)
    .default(2000)
    .describe('Memory of the browser of one session. One that takes more is ended, and the session with it.'),
  CODE_MEMORY_MB: wholeNumber(256, 1_000_000)
    .default(1024)
    .describe('Memory of all code of one session, what the kernel holds for it included.'),
  CODE_FILES: wholeNumber(1000, 10_000_000)
    .default(100_000)
    .describe('Files and folders that the code of one session may have, however small.'),
  CODE_CONNECTIONS: wholeNumber(8, 1000)
    .default(64)
    .describe('Connections of the code of one session to its browser, at the same time.'),
  CODE_OUTPUT_MB: wholeNumber(2, 100_000)
    .default(256)
    .describe('What code may write in one call, of which the first megabyte is returned. More ends it.'),
  SANDBOX_CGROUP: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder of cgroup v2 in which every sandbox gets a group of its own, so that the kernel itself counts its memory.',
    )
    .meta({ shown: "the service's own, where it may write to it" }),
  CLIENT_UNREAD_MB: wholeNumber(1, 10_000)
    .default(64)
    .describe('What a DevTools client may leave unread, beside one message. Who leaves more is cut off.'),
}

type Found = z.infer<z.ZodObject<typeof sessionVariables>>

export function sessionLimits(found: Found) {
  return {
    cgroup: found.SANDBOX_CGROUP,
    unread: { megabytes: found.CLIENT_UNREAD_MB },
    browserMegabytes: found.SESSION_MEMORY_MB,
    code: {
      megabytes: found.CODE_MEMORY_MB,
      files: found.CODE_FILES,
      connections: found.CODE_CONNECTIONS,
      outputMegabytes: found.CODE_OUTPUT_MB,
    },
  }
}
