import { Link } from '@tanstack/react-router'
import type { JobTrace } from '../../../client/src/types.ts'
import { jobKindOf } from '../jobs/kinds.ts'
import { Copy } from '../ui/copy.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { counted, formatDuration, formatMoment } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'

/** What the job was, when, and what it cost. */
export function JobHead({ trace }: { trace: JobTrace }) {
  const { id, kind, state, target, parentId, attempts, createdAt, startedAt, finishedAt, credits } = trace
  const work = jobKindOf(kind)
  const took = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt ?? createdAt)
  return (
    <section className="panel stack" aria-label="Summary">
      <div className="row">
        <StateBadge state={state} />
        <span>{counted(credits, 'credit')}</span>
        {took !== undefined && <span>took {formatDuration(took)}</span>}
        {attempts > 1 && <span>started {attempts} times</span>}
        <span className="quiet">{formatMoment(createdAt)}</span>
        {target !== null && <UntrustedLink href={target} />}
        {work && (
          <Link to="/jobs/$kind/$id" params={{ kind: work, id }}>
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
