import type { Clock } from '../base/clock.ts'
import { jsonBytes } from '../base/write-json.ts'
import type { Poster } from '../network/post.ts'
import { type DeliveryRow, findWebhooks, recordAttempt } from '../store/deliveries.ts'
import type { Store } from '../store/schema.ts'
import { signingSecret } from '../store/signing-secret.ts'
import { withAttempt } from './attempts.ts'
import { payloadOf } from './payload.ts'
import { signatureHeaders } from './signature.ts'
import { headersOf } from './webhook-row.ts'

export interface DeliverNeeds {
  store: Store
  clock: Clock
  poster: Poster
  /** What a page brought: its document, or what is known of one that failed. */
  documentOf: (delivery: DeliveryRow) => Promise<unknown>
  /** Milliseconds until each further attempt; after the last one the delivery has failed. */
  retryAfter: number[]
  /** WEBHOOK_SECRET, from which the secrets of teams without their own one are derived. */
  secret?: string | undefined
}

interface Sending {
  /** How long the receiver may take. */
  patience: number
  /** Hears whether it answered. */
  heard(isSilent: boolean): void
  stopping: AbortSignal
}

/** Tries once to send a delivery, and records how that went. */
export async function deliver(needs: DeliverNeeds, row: DeliveryRow, how: Sending): Promise<void> {
  const began = performance.now()
  const outcome = await attempt(needs, row, how)
  // Not an attempt: the lease runs out, and another process or the next start goes on.
  if (outcome === 'stopped') return
  const ms = Math.round(performance.now() - began)
  const now = needs.clock.now()
  const isTaken = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
  const attempts = row.attempts + 1
  const wait = needs.retryAfter[attempts - 1]
  const isOver = isTaken || wait === undefined || outcome.isHopeless === true
  const { isHopeless: _, ...told } = outcome
  await recordAttempt(needs.store.query, row.id, {
    state: isTaken ? 'delivered' : isOver ? 'failed' : 'waiting',
    attempts,
    next_at: now + (wait ?? 0),
    log: withAttempt(row.log, { at: new Date(now).toISOString(), ms, ...told }),
    finished_at: isOver ? now : null,
  })
}

interface AttemptOutcome {
  status?: number
  error?: string
  /** Trying again would change nothing: there is nowhere or nothing to send. */
  isHopeless?: true
}

async function attempt(
  needs: DeliverNeeds,
  row: DeliveryRow,
  { patience, heard, stopping }: Sending,
): Promise<AttemptOutcome | 'stopped'> {
  const [webhook] = await findWebhooks(needs.store.query, [row.job_id])
  if (!webhook) return { error: 'The webhook of the job is not there any more.', isHopeless: true }
  const body = await jsonBytes(await payloadOf(webhook, row, needs.documentOf))
  const signing = await signingSecret(needs.store.query, row.team_id, needs.secret)
  const limit = AbortSignal.timeout(patience)
  try {
    const status = await needs.poster.post(
      {
        owner: { team: row.team_id, job: row.job_id },
        url: new URL(webhook.url),
        callerHeaders: { 'user-agent': 'Winnow-Webhook', ...headersOf(webhook) },
        headers: {
          'content-type': 'application/json',
          ...(await signatureHeaders(body, signing?.secret, needs.clock.now())),
        },
        body,
      },
      AbortSignal.any([limit, stopping]),
    )
    heard(false)
    return status >= 200 && status < 300 ? { status } : { status, error: answered(status) }
  } catch (thrown) {
    if (stopping.aborted) return 'stopped'
    heard(limit.aborted)
    if (limit.aborted) return { error: `The receiver did not answer within ${patience / 1000} s.` }
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

function answered(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`
}
