import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { type Attempt, type Delivery, useResendDelivery } from './deliveries.ts'
import { DeliveryPayload } from './delivery-payload.tsx'

const badgeClasses = { waiting: 'busy', delivered: 'good', failed: 'bad' } as const

/** Expandable delivery: attempts and payload. */
export function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false)
  const last = delivery.attempts.at(-1)
  return (
    <li className="panel">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="delivery-line">
          <span className={`badge ${badgeClasses[delivery.state]}`}>{delivery.state}</span>
          <strong>{delivery.type}</strong>
          <span className="quiet">
            <Moment at={delivery.createdAt} />
          </span>
          <span className="quiet">{last ? formatOutcome(last) : 'no attempt yet'}</span>
        </summary>
        {isOpen && <DeliveryDetails delivery={delivery} />}
      </details>
    </li>
  )
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const resend = useResendDelivery()
  return (
    <div className="stack delivery-open">
      <dl className="facts">
        <dt>Event</dt>
        <dd>
          <code>{delivery.webhookId}</code>
        </dd>
        {delivery.type !== 'webhook.test' && (
          <>
            <dt>Job</dt>
            <dd>
              <Link to="/activity/$id" params={{ id: delivery.id }}>
                <code>{delivery.id}</code>
              </Link>
            </dd>
          </>
        )}
        {delivery.nextAttemptAt !== undefined && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Moment at={delivery.nextAttemptAt} />
            </dd>
          </>
        )}
      </dl>
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 && <p className="quiet">No attempts yet.</p>}
      <ol className="attempts">
        {delivery.attempts.map((attempt) => (
          <li key={attempt.at}>
            <Moment at={attempt.at} />: {formatOutcome(attempt)}, after {attempt.ms} ms
          </li>
        ))}
      </ol>
      <DeliveryPayload id={delivery.webhookId} />
      <div className="row">
        <Button
          icon="refresh"
          isBusy={resend.isPending}
          disabled={resend.isPending}
          onClick={() => resend.mutate(delivery.webhookId)}
        >
          Resend
        </Button>
        <span role="status" className="quiet">
          {resend.isSuccess && 'Queued with its original id.'}
        </span>
      </div>
      {resend.error && <ErrorNotice error={resend.error} />}
    </div>
  )
}

function formatOutcome({ status, error }: Attempt): string {
  return error ?? `status ${status}`
}
