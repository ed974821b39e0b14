import { z } from 'zod'
import { storedJson } from '../store/stored-json.ts'

/** One attempt as the log of a delivery keeps it, and as it is shown. */
export const attempt = z.object({
  at: z.string(),
  ms: z.int().describe('How long the attempt took.'),
  status: z.int().optional().describe('What the receiver answered.'),
  error: z.string().optional(),
})

const log = storedJson({ table: 'deliveries', column: 'log' }, z.array(attempt))

const keptAttempts = 20

export const readAttempts = log.read
export const noAttempts = log.write([])

export function withAttempt(text: string, last: z.output<typeof attempt>): string {
  return log.write([...log.read(text), last].slice(-keptAttempts))
}
