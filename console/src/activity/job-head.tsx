import { Link } from '@tanstack/react-router'
import type { JobTrace } from '../../../client/src/types.ts'
import { workKindOf } from '../jobs/kinds.ts'
import { Copy } from '../ui/copy.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { StrangerLink } from '../ui/stranger-link.tsx'
import { atMoment, counted, inTime } from '../ui/units.ts'

/** What the job was, when, and what it cost. */
export function JobHead({ trace }: { trace: JobTrace }) {
  const { id, kind, state, target, parentId, attempts, createdAt, startedAt, finishedAt, credits } = trace
  const work = workKindOf(kind)
  const took = finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt ?? createdAt)
  return (
    <section className="panel stack" aria-label="Summary">
      <div className="row">
        <StateBadge state={state} />
        <span>{counted(credits, 'credit')}</span>
        {took !== undefined && <span>took {inTime(took)}</span>}
        {attempts > 1 && <span>started {attempts} times</span>}
        <span className="quiet">{atMoment(createdAt)}</span>
        {target !== null && <StrangerLink href={target} />}
        {work && (
          <Link to="/work/$kind/$id" params={{ kind: work, id }}>
            Its pages and results
          </Link>
        )}
        {parentId !== null && (
          <Link to="/activity/$id" params={{ id: parentId }}>
            The job that it is a page of
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
