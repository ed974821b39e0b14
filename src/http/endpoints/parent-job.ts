import { z } from 'zod'
import type { ParentStatus } from '../../features/parent-job.ts'
import { document } from '../../features/scrape/schema.ts'
import { envelope } from '../endpoint.ts'

/** What crawls and batches answer alike. */

export const pageQuery = z.object({
  skip: z.coerce.number().int().min(0).max(1e9).default(0).describe('Documents to leave out at the start.'),
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('Most documents in one answer.'),
})

export const parentStatus = envelope({
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int().describe('Pages that have not failed.'),
  completed: z.int(),
  creditsUsed: z.int(),
  expiresAt: z.string(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  duration: z.number().optional().describe('Seconds from the start to the end; present when it has ended.'),
  error: z.string().optional().describe('Why it failed.'),
  next: z.string().optional().describe('Where the next documents are; absent when there are none now.'),
  data: z.array(document),
}).meta({ id: 'JobStatus' })

export const errorList = z.array(
  z
    .object({
      id: z.string(),
      timestamp: z.string().optional(),
      url: z.string(),
      code: z.string(),
      error: z.string(),
    })
    .meta({ id: 'PageError' }),
)

/** The status as it is answered; `address` is where it can be read. */
export function shownStatus(
  { documents, lastDocument: _, nextSkip, ...status }: ParentStatus,
  address: string,
  limit: number,
) {
  return {
    ...status,
    ...(nextSkip === undefined ? {} : { next: `${address}?skip=${nextSkip}&limit=${limit}` }),
    // What was stored is what the scrape answered, and that was checked when it was made.
    data: documents as unknown as z.input<typeof document>[],
  }
}
