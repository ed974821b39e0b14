import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { type FairPlace, fairPlaces } from '../base/fair-places.ts'
import type { Log } from '../base/log.ts'
import { jsonBytes } from '../base/write-json.ts'
import type { Poster } from '../network/post.ts'
import {
  claimDeliveries,
  type DeliveryRow,
  dueJobs,
  findWebhooks,
  recordAttempt,
  teamsWithDeliveries,
  type WebhookRow,
} from '../store/deliveries.ts'
import type { Store } from '../store/schema.ts'
import { webhookSecret } from '../store/teams.ts'
import { receiverBreaker } from './receiver-breaker.ts'

export interface DelivererNeeds {
  store: Store
  clock: Clock
  log: Log
  poster: Poster
  /** What a page brought: its document, or what is known of one that failed. */
  documentOf: (delivery: DeliveryRow) => Promise<unknown>
  /** Milliseconds until each further attempt; after the last one the delivery has failed. */
  retryAfter: number[]
  /** Signs for teams without a secret of their own. */
  secret?: string | undefined
}

/** One attempt as the log of a delivery keeps it. */
export interface Attempt {
  at: string
  ms: number
  status?: number
  error?: string
}

const leaseTime = 30_000
/** Deliveries at the same time, and so many more for teams that have none under way. */
const limits = { places: 64, spare: 16 }
/** A receiver that is slow holds up its own job and nobody else's, and never all that its team may have. */
const mostPerJob = 4
/** Jobs of a team that are looked at and served in one turn, and its turns in one look. */
const mostJobs = 100
const mostServed = 8
const mostTurns = 20
const keptAttempts = 20

/** Sends what stands in the outbox, again and again until it was taken or the attempts are spent. */
export function startDeliverer(needs: DelivererNeeds): { stop(withinMs: number): Promise<void> } {
  const places = fairPlaces(limits)
  const ofJob = counter()
  const ofReceiver = counter()
  const breaker = receiverBreaker()
  const lastLooks = new Map<string, string>()
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
        await lookOnce(await teamsWithDeliveries(needs.store.query))
      }
    } finally {
      isLooking = false
    }
  }

  /** A few jobs of each team in turn, of those first that have the fewest deliveries under way. */
  async function lookOnce(teams: string[]): Promise<void> {
    let looks = teams
      .toSorted((left, right) => places.takenBy(left) - places.takenBy(right))
      .map((teamId) => ({ teamId, after: lastLooks.get(teamId) ?? '', turns: 0 }))
    lastLooks.clear()
    while (looks.length > 0 && !stopping.signal.aborted) {
      const goingOn: typeof looks = []
      for (const look of looks) if (await lookFor(look)) goingOn.push(look)
      looks = goingOn
      await nextTurn()
    }
  }

  /** Moves the look on; false where it has come to its end, for now. */
  async function lookFor(look: { teamId: string; after: string; turns: number }): Promise<boolean> {
    const { teamId } = look
    const { due, last } = await dueJobs(needs.store.query, {
      ...look,
      most: mostJobs,
      now: needs.clock.now(),
    })
    const served = due.slice(0, mostServed)
    for (const job of served) if (!(await claimFor(teamId, job))) return false
    const end = due.length > served.length ? served.at(-1)?.jobId : last
    if (end === undefined) return false
    look.after = end
    look.turns += 1
    // A team with very many jobs is gone through in several looks.
    if (look.turns === mostTurns) lastLooks.set(teamId, end)
    return look.turns < mostTurns
  }

  /** False: there is no room for this team now. */
  async function claimFor(teamId: string, { jobId, url }: { jobId: string; url: string }): Promise<boolean> {
    const receiver = `${teamId} ${URL.parse(url)?.host}`
    const { atOnce } = breaker.limitsOf(receiver)
    const most = Math.min(mostPerJob - ofJob.of(jobId), atOnce - ofReceiver.of(receiver))
    const room: FairPlace[] = []
    while (room.length < most) {
      const place = places.tryEnter({ team: teamId, isBackground: true })
      if (!place) break
      room.push(place)
    }
    if (room.length === 0) return most <= 0
    const now = needs.clock.now()
    const claim = { jobId, most: room.length, now, leaseUntil: now + leaseTime }
    try {
      for (const row of await claimDeliveries(needs.store, claim)) send(row, receiver, room.pop())
    } finally {
      for (const place of room) place.leave()
    }
    return true
  }

  function send(row: DeliveryRow, receiver: string, place: FairPlace | undefined): void {
    const leave = [ofJob.enter(row.job_id), ofReceiver.enter(receiver)]
    const { patience } = breaker.limitsOf(receiver)
    const heard = (isSilent: boolean) => breaker.note(receiver, { isSilent })
    const sending = deliver(needs, row, { patience, heard, stopping: stopping.signal })
      .catch((cause) => needs.log.warn({ cause, delivery: row.id }, 'a delivery could not be recorded'))
      .finally(() => {
        for (const one of leave) one()
        place?.leave()
        underWay.delete(sending)
        look()
      })
    underWay.add(sending)
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

/** How many are under way of each name. */
function counter() {
  const counts = new Map<string, number>()
  const add = (name: string, more: number) => {
    const count = (counts.get(name) ?? 0) + more
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    of: (name: string) => counts.get(name) ?? 0,
    enter(name: string) {
      add(name, 1)
      return () => add(name, -1)
    },
  }
}

interface Sending {
  /** How long the receiver may take. */
  patience: number
  /** Hears whether it answered. */
  heard(isSilent: boolean): void
  stopping: AbortSignal
}

async function deliver(needs: DelivererNeeds, row: DeliveryRow, how: Sending): Promise<void> {
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
  { patience, heard, stopping }: Sending,
): Promise<AttemptOutcome | 'stopped'> {
  const [webhook] = await findWebhooks(needs.store.query, [row.job_id])
  if (!webhook) return { error: 'The webhook of the job is not there any more.', isHopeless: true }
  const body = await jsonBytes(await payload(needs, webhook, row))
  const secret = (await webhookSecret(needs.store.query, row.team_id)) ?? needs.secret
  const limit = AbortSignal.timeout(patience)
  try {
    const status = await needs.poster.post(
      { url: new URL(webhook.url), headers: await headersOf(webhook, body, secret), body },
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
  secret: string | undefined,
): Promise<Record<string, string>> {
  const signature = secret === undefined ? undefined : `sha256=${await signed(body, secret)}`
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
