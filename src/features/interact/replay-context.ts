import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { storedShape } from '../../base/stored-shape.ts'
import type { JobRow } from '../../store/jobs.ts'
import { storedJson } from '../../store/stored-json.ts'
import { scrapeOptions } from '../scrape/schema.ts'

/** What a scrape has left on record: everything but the values of its headers. */
const record = storedJson(
  { table: 'jobs', column: 'input' },
  storedShape(
    z.object({
      /** Absent where nothing was kept. */
      url: z.string().optional(),
      headerNames: z.array(z.string()).default([]),
      ...z.object(scrapeOptions).pick({
        waitFor: true,
        actions: true,
        mobile: true,
        location: true,
        blockAds: true,
        skipTlsVerification: true,
        profile: true,
      }).shape,
    }),
  ),
)

export type ReplayContext = ReturnType<typeof record.read> & { url: string }

/** Reads what has to be done to have the page as the scrape had it; fails where that was not kept. */
export function replayContext(job: Pick<JobRow, 'input' | 'retain'>): ReplayContext {
  const { url, ...kept } = record.read(job.input)
  if (job.retain === 0 || url === undefined) {
    throw unavailable('reading the record', 'nothing was kept of this scrape (zero retention or lockdown)')
  }
  return { ...kept, url }
}

export function unavailable(phase: string, reason: string, cause?: unknown): AppError {
  const message = `The page of the scrape cannot be opened as it was (${phase}: ${reason}). Run the scrape again, then interact with that.`
  return new AppError('REPLAY_UNAVAILABLE', { phase }, { message, cause })
}
