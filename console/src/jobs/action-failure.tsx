import { WinnowError } from '../api/request.ts'
import { Failure, Notice } from '../ui/notice.tsx'

/** What became of a click that failed. A route that is not there is no fault of the caller. */
export function ActionFailure({ error }: { error: unknown }) {
  if (!error) return null
  const isAbsent = error instanceof WinnowError && error.status === 404 && error.code !== 'JOB_NOT_FOUND'
  if (isAbsent) return <Notice>This service does not support that.</Notice>
  return <Failure error={error} />
}
