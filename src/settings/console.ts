import { z } from 'zod'

export const consoleVariables = {
  CONSOLE_PATH: z
    .string()
    .refine((text) => text === 'off' || text.startsWith('/'), { error: 'is an absolute path or `off`' })
    .optional()
    .describe('Folder of the built console; `off` serves none. If not set, the start builds it.')
    .meta({ shown: 'built' }),
}
