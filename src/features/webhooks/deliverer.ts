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
  dueJobs,
  findWebhooks,
  recordAttempt,
  teamsWithDeliveries,
} from '../../store/deliveries.ts'
import type { Store } from '../../store/schema.ts'
import { signingSecret } from '../../store/secrets.ts'
import { headersOf, payloadOf, withAttempt } from './delivery.ts'
import {
  type ActiveDelivery,
  createDeliverySlots,
  type DeliverySlots,
  type Destination,
} from './delivery-slots.ts'

export interface DelivererDeps extends DeliverDeps {
  log: Log
}

/** Sends what stands in the outbox, again and again until it was taken or the attempts are spent. */
export function startDeliverer(deps: DelivererDeps): { stop(withinMs: number): Promise<void> } {
  const room = createDeliverySlots()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  function send(row: DeliveryRow, delivery: ActiveDelivery): Promise<void> {
    const sending = deliver(deps, row, { ...delivery, stopping: stopping.signal })
      .catch((cause) => deps.log.warn({ cause, delivery: row.id }, 'a delivery could not be recorded'))
      .finally(() => {
        underWay.delete(sending)
        // In the next turn, when the permit of this delivery is free.
        setImmediate(look)
      })
    underWay.add(sending)
    return sending
  }

  const looking: LookDeps = {
    ...{ store: deps.store, clock: deps.clock, room, send },
    lastLooks: new Map(),
    stopping: stopping.signal,
  }
  const lookForAll = coalesce(() => lookForDeliveries(looking), stopping.signal)
  const look = () => {
    lookForAll().catch((cause) =>
      deps.log.warn({ cause }, 'deliveries could not be looked for; trying again'),
    )
  }
  const unlisten = deps.store.listen('deliveries', look)
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

const leaseTime = 30_000
/** Jobs of a team that are looked at and served in one turn, and its turns in one look. */
const maxJobs = 100
const maxServed = 8
const maxRunsPerThread = 20

interface LookDeps {
  store: Store
  clock: Clock
  room: DeliverySlots
  /** The last job of each team that was not gone through to the end: the next look goes on there. */
  lastLooks: Map<string, string>
  stopping: AbortSignal
  send(row: DeliveryRow, delivery: ActiveDelivery): Promise<void>
}

/** Claims and sends what is due: a few jobs of each team in turn, of those first that have the fewest deliveries under way. */
async function lookForDeliveries(deps: LookDeps): Promise<void> {
  const { store, room, lastLooks, stopping } = deps
  const teams = await teamsWithDeliveries(store.query)
  let looks = teams
    .toSorted((left, right) => room.takenBy(left) - room.takenBy(right))
    .map((teamId) => ({ teamId, after: lastLooks.get(teamId) ?? '', turns: 0 }))
  lastLooks.clear()
  while (looks.length > 0 && !stopping.aborted) {
    const goingOn: typeof looks = []
    for (const look of looks) if (await lookFor(deps, look)) goingOn.push(look)
    looks = goingOn
    await nextTurn()
  }
}

interface Look {
  teamId: string
  after: string
  turns: number
}

/** Moves the look on; false where it has come to its end, for now. */
async function lookFor(deps: LookDeps, look: Look): Promise<boolean> {
  const { teamId } = look
  const { due, last } = await dueJobs(deps.store.query, {
    ...look,
    most: maxJobs,
    now: deps.clock.now(),
  })
  const served = due.slice(0, maxServed)
  for (const job of served) if (!(await claimFor(deps, { teamId, ...job }))) return false
  const end = due.length > served.length ? served.at(-1)?.jobId : last
  if (end === undefined) return false
  look.after = end
  look.turns += 1
  // A team with very many jobs is gone through in several looks.
  if (look.turns === maxRunsPerThread) deps.lastLooks.set(teamId, end)
  return look.turns < maxRunsPerThread
}

/** Returns false if there is no permit for this team now. */
function claimFor(deps: LookDeps, to: Destination): Promise<boolean> {
  return deps.room.use(to, async ({ count, send }) => {
    const now = deps.clock.now()
    const claim = { jobId: to.jobId, most: count, now, leaseUntil: now + leaseTime }
    const rows = await claimDeliveries(deps.store, claim)
    for (const row of rows) void send((delivery) => deps.send(row, delivery))
  })
}

interface DeliverDeps {
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

interface Sending extends ActiveDelivery {
  stopping: AbortSignal
}

/** Tries once to send a delivery, and records how that went. */
export async function deliver(deps: DeliverDeps, row: DeliveryRow, how: Sending): Promise<void> {
  const began = performance.now()
  const outcome = await attempt(deps, row, how)
  // Not an attempt: the lease runs out, and another process or the next start goes on.
  if (outcome === 'stopped') return
  const ms = Math.round(performance.now() - began)
  const now = deps.clock.now()
  const isTaken = outcome.status !== undefined && outcome.status >= 200 && outcome.status < 300
  const attempts = row.attempts + 1
  const wait = deps.retryAfter[attempts - 1]
  const isOver = isTaken || wait === undefined || outcome.isHopeless === true
  const { isHopeless: _, ...told } = outcome
  await recordAttempt(deps.store.query, row.id, {
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
  deps: DeliverDeps,
  row: DeliveryRow,
  { patience, heard, stopping }: Sending,
): Promise<AttemptOutcome | 'stopped'> {
  const [webhook] = await findWebhooks(deps.store.query, [row.job_id])
  if (!webhook) return { error: 'The webhook of the job is not there any more.', isHopeless: true }
  const body = await jsonBytes(await payloadOf(webhook, row, deps.documentOf))
  const signing = await signingSecret(deps.store.query, row.team_id, deps.secret)
  const limit = AbortSignal.timeout(patience)
  try {
    const status = await deps.poster.post(
      {
        owner: { team: row.team_id, job: row.job_id },
        url: new URL(webhook.url),
        callerHeaders: { 'user-agent': 'Winnow-Webhook', ...headersOf(webhook) },
        headers: {
          'content-type': 'application/json',
          ...(await signatureHeaders(body, signing?.secret, deps.clock.now())),
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

/**
 * The signature is over the very bytes that are sent, under the name of the description and the one clients look for.
 * The third one also covers the time of the attempt, so that a receiver can refuse what someone else sends again later.
 */
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

const signedAtOnce = 1024 * 1024

/** Part by part, with turns of the loop between them: a document may be long. */
async function updateAll(signers: Hmac[], body: Buffer): Promise<void> {
  for (let at = 0; at < body.length; at += signedAtOnce) {
    for (const signer of signers) signer.update(body.subarray(at, at + signedAtOnce))
    if (at + signedAtOnce < body.length) await nextTurn()
  }
}
