import { Link } from '@tanstack/react-router'
import type { JobTrace } from '../../../client/src/types.ts'
import { findJobKind } from '../jobs/kinds.ts'
import { Copy } from '../ui/copy.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatDateTime, formatDuration, formatQuantity } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

/** State, target, time and cost of the job. */
export function JobHead({ trace }: { trace: JobTrace }) {
  const { id, kind, state, target, parentId, attempts, createdAt, startedAt, finishedAt, credits } = trace
  const jobKind = findJobKind(kind)
  const durationMs =
    finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt ?? createdAt)
  return (
    <section className="panel stack" aria-label="Summary">
      <div className="row">
        <StateBadge state={state} />
        <span>{formatQuantity(credits, 'credit')}</span>
        {durationMs !== undefined && <span>took {formatDuration(durationMs)}</span>}
        {attempts > 1 && <span>started {attempts} times</span>}
        <span className="quiet">{formatDateTime(createdAt)}</span>
        {target !== null && <UntrustedLink href={target} />}
        {jobKind && (
          <Link to="/jobs/$kind/$id" params={{ kind: jobKind, id }}>
            Pages and results
          </Link>
        )}
        {parentId !== null && (
          <Link to="/activity/$id" params={{ id: parentId }}>
            Parent job
          </Link>
        )}
      </div>
      <div className="row">
        <code className="job-id">{id}</code>
        <Copy text={id} name="Copy id" />
      </div>
    </section>
  )
}
