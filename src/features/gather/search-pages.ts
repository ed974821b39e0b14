import type { RunningJob } from '../../jobs/job.ts'

interface SearchedPage {
  url: string
  title: string
  description: string
}

/** A search of the web in the name of a job that is not one itself. */
export type SearchForPages = (
  job: RunningJob<unknown>,
  wanted: { query: string; limit: number; ms: number },
  signal: AbortSignal,
) => Promise<{ results: SearchedPage[]; credits: number; warnings: string[] }>
