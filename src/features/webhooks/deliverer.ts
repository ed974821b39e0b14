import { createHmac, type Hmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Poster } from '../../fetch/network/post.ts'
import type { Clock } from '../../platform/clock.ts'
import { coalesce } from '../../platform/functions.ts'
import { jsonBytes } from '../../platform/json/write-json.ts'
import type { Log } from '../../platform/log.ts'
import {
  claimDeliveries,
  type DeliveryRow,
  findWebhooks,
  listDueJobs,
  listTeamsWithDeliveries,
  recordAttempt,
} from '../../store/deliveries.ts'
import type { Store } from '../../store/schema.ts'
import { getSigningSecret } from '../../store/secrets.ts'
import { headersOf, payloadOf, withAttempt } from './delivery.ts'
import {
  type ActiveDelivery,
  createDeliverySlots,
  type DeliverySlots,
  type Destination,
} from './delivery-slots.ts'

export function startDeliverer(deps: DeliverDeps & { log: Log }): { stop(withinMs: number): Promise<void> } {
  const slots = createDeliverySlots()
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()

  function send(row: DeliveryRow, delivery: ActiveDelivery): Promise<void> {
    const sending = deliver(deps, row, { ...delivery, stopping: stopping.signal })
      .catch((cause) => deps.log.warn({ cause, delivery: row.id }, 'a delivery could not be recorded'))
      .finally(() => {
        inFlight.delete(sending)
        // Deferred, because the permit of this delivery is released after this callback.
        setImmediate(schedulePass)
      })
    inFlight.add(sending)
    return sending
  }

  const passDeps: PassDeps = {
    ...{ store: deps.store, clock: deps.clock, slots, send },
    resumeAfter: new Map(),
    stopping: stopping.signal,
  }
  const runPass = coalesce(() => sendDueDeliveries(passDeps), stopping.signal)
  const schedulePass = () => {
    runPass().catch((cause) => deps.log.warn({ cause }, 'deliveries could not be looked for; trying again'))
  }
  const unsubscribe = deps.store.listen('deliveries', schedulePass)
  // Retries become due by time, and wake-ups can be lost.
  const timer = setInterval(schedulePass, 1000)
  schedulePass()
  return {
    async stop(withinMs) {
      clearInterval(timer)
      unsubscribe()
      stopping.abort(new Error('The service is stopping.'))
      const timeout = new Promise((resolve) => setTimeout(resolve, withinMs).unref())
      await Promise.race([Promise.all(inFlight), timeout])
    },
  }
}

const leaseMs = 30_000
const maxJobsRead = 100
const maxJobsServed = 8
const maxRounds = 20

interface PassDeps {
  store: Store
  clock: Clock
  slots: DeliverySlots
  /** Last served job of each team with unserved jobs. The next pass continues after it. */
  resumeAfter: Map<string, string>
  stopping: AbortSignal
  send(row: DeliveryRow, delivery: ActiveDelivery): Promise<void>
}

/** Serves a few jobs of each team per round. Teams with the fewest deliveries in flight come first. */
async function sendDueDeliveries(deps: PassDeps): Promise<void> {
  const { store, slots, resumeAfter, stopping } = deps
  const teams = await listTeamsWithDeliveries(store.query)
  let cursors = teams
    .toSorted((left, right) => slots.inFlightOf(left) - slots.inFlightOf(right))
    .map((teamId) => ({ teamId, after: resumeAfter.get(teamId) ?? '', rounds: 0 }))
  resumeAfter.clear()
  while (cursors.length > 0 && !stopping.aborted) {
    const unfinished: typeof cursors = []
    for (const cursor of cursors) if (await serveTeam(deps, cursor)) unfinished.push(cursor)
    cursors = unfinished
    await nextTurn()
  }
}

/** Returns false if the team has no more due jobs or permits in this pass. */
async function serveTeam(deps: PassDeps, cursor: { teamId: string; after: string; rounds: number }) {
  const { teamId } = cursor
  const query = { ...cursor, limit: maxJobsRead, now: deps.clock.now() }
  const { due, last } = await listDueJobs(deps.store.query, query)
  const served = due.slice(0, maxJobsServed)
  for (const job of served) if (!(await claimFor(deps, { teamId, ...job }))) return false
  const lastServed = due.length > served.length ? served.at(-1)?.jobId : last
  if (lastServed === undefined) return false
  cursor.after = lastServed
  cursor.rounds += 1
  // A team with very many jobs is served in several passes.
  if (cursor.rounds === maxRounds) deps.resumeAfter.set(teamId, lastServed)
  return cursor.rounds < maxRounds
}

function claimFor(deps: PassDeps, to: Destination): Promise<boolean> {
  return deps.slots.use(to, async ({ count, send }) => {
    const now = deps.clock.now()
    const claim = { jobId: to.jobId, limit: count, now, leaseUntil: now + leaseMs }
    const rows = await claimDeliveries(deps.store, claim)
    for (const row of rows) void send((delivery) => deps.send(row, delivery))
  })
}

interface DeliverDeps {
  store: Store
  clock: Clock
  poster: Poster
  documentOf: (delivery: DeliveryRow) => Promise<unknown>
  /** Delays before each retry in milliseconds. The delivery fails after the last retry. */
  retryDelaysMs: number[]
  /** WEBHOOK_SECRET, from which the secrets of teams without their own secret are derived. */
  secret?: string | undefined
}

type SendOptions = ActiveDelivery & { stopping: AbortSignal }

export async function deliver(deps: DeliverDeps, row: DeliveryRow, options: SendOptions): Promise<void> {
  const startedAt = performance.now()
  const outcome = await sendOnce(deps, row, options)
  // A stopped attempt does not count. It is retried after its lease expires.
  if (outcome === 'stopped') return
  const ms = Math.round(performance.now() - startedAt)
  const now = deps.clock.now()
  const isDelivered = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
  const attempts = row.attempts + 1
  const wait = deps.retryDelaysMs[attempts - 1]
  const { isPermanent, ...result } = outcome
  const isFinal = isDelivered || wait === undefined || isPermanent === true
  await recordAttempt(deps.store.query, row.id, {
    state: isDelivered ? 'delivered' : isFinal ? 'failed' : 'waiting',
    attempts,
    next_at: now + (wait ?? 0),
    log: withAttempt(row.log, { at: new Date(now).toISOString(), ms, ...result }),
    finished_at: isFinal ? now : null,
  })
}

type AttemptOutcome = { status?: number; error?: string; isPermanent?: true } | 'stopped'

async function sendOnce(
  deps: DeliverDeps,
  row: DeliveryRow,
  { timeoutMs, recordTimeout, stopping }: SendOptions,
): Promise<AttemptOutcome> {
  const [webhook] = await findWebhooks(deps.store.query, [row.job_id])
  if (!webhook) return { error: 'The webhook of the job is not there any more.', isPermanent: true }
  const body = await jsonBytes(await payloadOf(webhook, row, deps.documentOf))
  const signing = await getSigningSecret(deps.store.query, row.team_id, deps.secret)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signatures = await signatureHeaders(body, signing?.secret, deps.clock.now())
    const request = {
      owner: { team: row.team_id, job: row.job_id },
      url: new URL(webhook.url),
      callerHeaders: { 'user-agent': 'Winnow-Webhook', ...headersOf(webhook) },
      headers: { 'content-type': 'application/json', ...signatures },
      body,
    }
    const status = await deps.poster.post(request, AbortSignal.any([timeout, stopping]))
    recordTimeout(false)
    if (status >= 200 && status < 300) return { status }
    const hint = status >= 300 && status < 400 ? '; redirects are not followed' : ''
    return { status, error: `The receiver answered ${status}${hint}.` }
  } catch (thrown) {
    if (stopping.aborted) return 'stopped'
    recordTimeout(timeout.aborted)
    if (timeout.aborted) return { error: `The receiver did not answer within ${timeoutMs / 1000} s.` }
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** Two headers are for compatibility. The third covers the time, so that a receiver can reject replays. */
export async function signatureHeaders(
  body: Buffer,
  secret: string | undefined,
  now: number,
): Promise<Record<string, string>> {
  if (secret === undefined) return {}
  const seconds = Math.floor(now / 1000)
  const plain = createHmac('sha256', secret)
  const timed = createHmac('sha256', secret).update(`${seconds}.`)
  await updateAll([plain, timed], body)
  const signature = `sha256=${plain.digest('hex')}`
  return {
    'x-service-signature': signature,
    'x-firecrawl-signature': signature,
    'x-winnow-signature': `t=${seconds},v1=${timed.digest('hex')}`,
  }
}

const chunkBytes = 1024 * 1024

async function updateAll(signers: Hmac[], body: Buffer): Promise<void> {
  for (let offset = 0; offset < body.length; offset += chunkBytes) {
    for (const signer of signers) signer.update(body.subarray(offset, offset + chunkBytes))
    if (offset + chunkBytes < body.length) await nextTurn()
  }
}
