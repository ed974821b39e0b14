import { ApiError } from '../api/request.ts'
import { Failure } from './notice.tsx'

/** A failure, or a quiet word where this service does not have the route at all. */
export function NotHere({ error, what }: { error: unknown; what: string }) {
  const isMissing = error instanceof ApiError && error.status === 404
  if (isMissing) return <p className="quiet">This version of the service has no {what}.</p>
  return <Failure error={error} />
}
