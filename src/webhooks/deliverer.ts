import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { jsonBytes } from '../base/write-json.ts'
import type { Poster } from '../network/post.ts'
import {
  claimDeliveries,
  type DeliveryRow,
  findWebhooks,
  jobsWithDeliveries,
  recordAttempt,
  type WebhookRow,
} from '../store/deliveries.ts'
import type { Store } from '../store/schema.ts'
import { webhookSecret } from '../store/teams.ts'

export interface DelivererNeeds {
  store: Store
  clock: Clock
  log: Log
  poster: Poster
  /** What a page brought: its document, or what is known of one that failed. */
  documentOf: (delivery: DeliveryRow) => Promise<unknown>
  /** Milliseconds until each further attempt; after the last one the delivery has failed. */
  retryAfter: number[]
}

/** One attempt as the log of a delivery keeps it. */
export interface Attempt {
  at: string
  ms: number
  status?: number
  error?: string
}

const timeout = 10_000
const leaseTime = 30_000
const mostAtOnce = 64
/** A receiver that is slow holds up its own job and nobody else's. */
const mostPerJob = 4
const keptAttempts = 20

/** Sends what stands in the outbox, again and again until it was taken or the attempts are spent. */
export function startDeliverer(needs: DelivererNeeds): { stop(withinMs: number): Promise<void> } {
  const active = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  let isLooking = false
  let again = false

  async function lookForAll(): Promise<void> {
    again = true
    if (isLooking) return
    isLooking = true
    try {
      while (again && !stopping.signal.aborted) {
        again = false
        for (const jobId of await jobsWithDeliveries(needs.store.query)) await claimFor(jobId)
      }
    } finally {
      isLooking = false
    }
  }

  async function claimFor(jobId: string): Promise<void> {
    const most = Math.min(mostPerJob - (active.get(jobId) ?? 0), mostAtOnce - underWay.size)
    if (most <= 0) return
    const now = needs.clock.now()
    for (const row of await claimDeliveries(needs.store, { jobId, most, now, leaseUntil: now + leaseTime })) {
      active.set(jobId, (active.get(jobId) ?? 0) + 1)
      const sending = deliver(needs, row, stopping.signal)
        .catch((cause) => needs.log.warn({ cause, delivery: row.id }, 'a delivery could not be recorded'))
        .finally(() => {
          active.set(jobId, (active.get(jobId) ?? 1) - 1)
          if (active.get(jobId) === 0) active.delete(jobId)
          underWay.delete(sending)
          look()
        })
      underWay.add(sending)
    }
  }

  const look = () => {
    lookForAll().catch((cause) =>
      needs.log.warn({ cause }, 'deliveries could not be looked for; trying again'),
    )
  }
  const unlisten = needs.store.listen('deliveries', look)
  // Retries become due by themselves, and wake-ups can be lost.
  const timer = setInterval(look, 1000)
  look()
  return {
    async stop(withinMs) {
      clearInterval(timer)
      unlisten()
      stopping.abort(new Error('The service is stopping.'))
      const patience = new Promise((resolve) => setTimeout(resolve, withinMs).unref())
      await Promise.race([Promise.all(underWay), patience])
    },
  }
}

async function deliver(needs: DelivererNeeds, row: DeliveryRow, stopping: AbortSignal): Promise<void> {
  const began = performance.now()
  const outcome = await attempt(needs, row, stopping)
  // Not an attempt: the lease runs out, and another process or the next start goes on.
  if (outcome === 'stopped') return
  const ms = Math.round(performance.now() - began)
  const now = needs.clock.now()
  const isTaken = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
  const attempts = row.attempts + 1
  const wait = needs.retryAfter[attempts - 1]
  const isOver = isTaken || wait === undefined || outcome.isHopeless === true
  const { isHopeless: _, ...told } = outcome
  const log: Attempt[] = [
    ...(JSON.parse(row.log) as Attempt[]),
    { at: new Date(now).toISOString(), ms, ...told },
  ]
  await recordAttempt(needs.store.query, row.id, {
    state: isTaken ? 'delivered' : isOver ? 'failed' : 'waiting',
    attempts,
    next_at: now + (wait ?? 0),
    log: JSON.stringify(log.slice(-keptAttempts)),
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
  needs: DelivererNeeds,
  row: DeliveryRow,
  stopping: AbortSignal,
): Promise<AttemptOutcome | 'stopped'> {
  const [webhook] = await findWebhooks(needs.store.query, [row.job_id])
  if (!webhook) return { error: 'The webhook of the job is not there any more.', isHopeless: true }
  const body = await jsonBytes(await payload(needs, webhook, row))
  const secret = await webhookSecret(needs.store.query, row.team_id)
  const limit = AbortSignal.timeout(timeout)
  try {
    const status = await needs.poster.post(
      { url: new URL(webhook.url), headers: await headersOf(webhook, body, secret), body },
      AbortSignal.any([limit, stopping]),
    )
    return status >= 200 && status < 300 ? { status } : { status, error: answered(status) }
  } catch (thrown) {
    if (stopping.aborted) return 'stopped'
    if (limit.aborted) return { error: `The receiver did not answer within ${timeout / 1000} s.` }
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

function answered(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`
}

async function payload(needs: DelivererNeeds, webhook: WebhookRow, row: DeliveryRow) {
  return {
    success: row.error === null && !/\.(?:failed|cancelled)$/.test(row.event),
    type: row.event,
    id: row.job_id,
    webhookId: row.id,
    data: row.child_id === null ? [] : [await needs.documentOf(row)],
    ...(row.error === null ? {} : { error: row.error }),
    ...(webhook.metadata === null ? {} : { metadata: JSON.parse(webhook.metadata) }),
  }
}

/** The signature is over the very bytes that are sent, under the name of the description and the one clients look for. */
async function headersOf(
  webhook: WebhookRow,
  body: Buffer,
  secret: string | null,
): Promise<Record<string, string>> {
  const signature = secret === null ? undefined : `sha256=${await signed(body, secret)}`
  return {
    'user-agent': 'Winnow-Webhook',
    ...(JSON.parse(webhook.headers) as Record<string, string>),
    'content-type': 'application/json',
    ...(signature === undefined
      ? {}
      : { 'x-service-signature': signature, 'x-firecrawl-signature': signature }),
  }
}

const signedAtOnce = 1024 * 1024

/** Part by part, with turns of the loop between them: a document may be long. */
async function signed(body: Buffer, secret: string): Promise<string> {
  const signer = createHmac('sha256', secret)
  for (let at = 0; at < body.length; at += signedAtOnce) {
    signer.update(body.subarray(at, at + signedAtOnce))
    if (at + signedAtOnce < body.length) await nextTurn()
  }
  return signer.digest('hex')
}
