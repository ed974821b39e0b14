import { WinnowError } from '../api/request.ts'
import { ErrorNotice, Notice } from '../ui/notice.tsx'

/** Error of a user action. A 404 other than JOB_NOT_FOUND means that the service has no such route. */
export function ActionFailure({ error }: { error: unknown }) {
  if (!error) return null
  const isUnsupported = error instanceof WinnowError && error.status === 404 && error.code !== 'JOB_NOT_FOUND'
  if (isUnsupported) return <Notice>This service does not support that.</Notice>
  return <ErrorNotice error={error} />
}
