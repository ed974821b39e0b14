import { resultOf } from '../../jobs/queue.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { ReadingNeeds } from './read-pages.ts'

/** What a job has written as its result; undefined where nothing is kept. */
export async function jobText(
  needs: ReadingNeeds,
  row: Pick<JobRow, 'id' | 'result' | 'result_blob'>,
): Promise<unknown> {
  const text = await resultOf(needs, row)
  return text?.value()
}
