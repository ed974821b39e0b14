import type { JobTrace } from '../../../client/src/types.ts'
import { StateBadge } from '../ui/state-badge.tsx'
import { formatDuration, formatShortDateTime } from '../ui/units.ts'

type Delivery = JobTrace['deliveries'][number]

/** Webhook deliveries of the job, with each attempt. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <section className="panel stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Webhook deliveries</h2>
      <ul className="plain-list error-list">
        {deliveries.map(({ webhookId, type, state, attempts, nextAttemptAt }) => (
          <li key={webhookId}>
            <div className="row">
              <strong>{type}</strong> <StateBadge state={state} />
              {nextAttemptAt !== undefined && (
                <span className="quiet">next attempt {formatShortDateTime(nextAttemptAt)}</span>
              )}
            </div>
            <ol className="attempts">
              {attempts.map(({ at, ms, status, error }) => (
                <li key={at}>
                  {formatShortDateTime(at)}: {error ?? `status ${status}`} after {formatDuration(ms)}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </section>
  )
}
