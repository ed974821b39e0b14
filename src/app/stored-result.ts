import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import { readError } from '../store/job-errors.ts'
import type { Bound } from './needs.ts'

/** What an earlier call of the team answered, as it was written. */
export async function storedResult(
  queue: Bound['queue'],
  team: Team,
  { id, kind }: { id: string; kind: 'scrape' | 'parse' },
): Promise<unknown> {
  const row = await queue.find(team, id, kind)
  const result = await queue.resultOf(row)
  if (result !== undefined) return result
  if (row.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  const failure = readError(row.error)
  if (!failure || failure.error === '') throw new AppError('JOB_NOT_FOUND')
  const message = `The ${kind} failed, so it has no result: ${failure.error}`
  throw new AppError('JOB_NOT_FOUND', { reason: failure.code }, { message })
}
