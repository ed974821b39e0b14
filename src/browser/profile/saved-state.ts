import { z } from 'zod'
import type { StorageState } from './profile-state.ts'

/** A state that was saved. What the driver adds to its parts, such as databases, is its own. */
export const savedState = z.looseObject({
  cookies: z.array(
    z.looseObject({
      ...{ name: z.string(), value: z.string(), domain: z.string(), path: z.string() },
      ...{ expires: z.number(), httpOnly: z.boolean(), secure: z.boolean() },
      sameSite: z.enum(['Strict', 'Lax', 'None']),
    }),
  ),
  origins: z.array(
    z.looseObject({
      origin: z.string(),
      localStorage: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    }),
  ),
}) satisfies z.ZodType<StorageState>
