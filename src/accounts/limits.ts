import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import { AppError, isStoreUnavailable } from '../platform/errors.ts'
import type { MaybePromise } from '../platform/functions.ts'
import { takeFromWindow } from '../store/rates.ts'
import type { Store } from '../store/schema.ts'
import type { Team } from './team.ts'

/** Calls that only read are counted separately: polling must not use the budget for work. */
export type Lane = 'work' | 'read'

export type Admit = (team: Team, lane: Lane) => MaybePromise<void>

interface CallShare {
  minute: number
  remaining: number
  windowCount: number
  waiting: number
  refill: Promise<void> | undefined
}

/** A process takes calls from the store in small shares, so a call usually needs no query. */
export function createRateLimiter(deps: { store: Store; clock: Clock; ratePerMinute: number }): Admit {
  const limits: Record<Lane, number> = { work: deps.ratePerMinute, read: deps.ratePerMinute * 10 }
  const shares: Record<Lane, Map<string, CallShare>> = { work: new Map(), read: new Map() }

  function shareOf(teamId: string, lane: Lane, minute: number): CallShare {
    const current = shares[lane].get(teamId)
    if (current?.minute === minute) return current
    const share = { minute, remaining: 0, windowCount: 0, waiting: 0, refill: undefined }
    shares[lane].set(teamId, share)
    return share
  }

  /** One statement serves all waiting calls: a burst of one team must not block the store for others. */
  async function refill(teamId: string, lane: Lane, share: CallShare): Promise<void> {
    // Calls that arrive in the same turn of the event loop are included in the share.
    await nextTurn()
    const limit = limits[lane]
    const requested = Math.min(limit, Math.max(1, Math.floor(limit / 20), share.waiting))
    const window = { teamId, lane, minute: share.minute }
    share.windowCount = await takeFromWindow(deps.store.query, window, requested).catch((thrown) =>
      countWithoutStore(thrown, lane, requested),
    )
    share.remaining += Math.max(0, Math.min(requested, limit - (share.windowCount - requested)))
  }

  async function waitForShare(teamId: string, lane: Lane, share: CallShare): Promise<void> {
    share.waiting += 1
    try {
      // A call that arrived after the statement was sized may have to wait for the next one.
      while (share.remaining <= 0 && share.windowCount < limits[lane]) {
        share.refill ??= refill(teamId, lane, share).finally(() => {
          share.refill = undefined
        })
        await share.refill
      }
    } finally {
      share.waiting -= 1
    }
  }

  /** Read calls still succeed if the store cannot be written, for example on a full disk. */
  function countWithoutStore(thrown: unknown, lane: Lane, requested: number): number {
    if (lane === 'read' && isStoreUnavailable(thrown)) return requested
    throw thrown
  }

  return (team, lane) => {
    const now = deps.clock.now()
    const share = shareOf(team.id, lane, Math.floor(now / 60_000))
    if (share.remaining > 0 || share.windowCount >= limits[lane]) return spend(share, lane, now)
    return waitForShare(team.id, lane, share).then(() => spend(share, lane, now))
  }

  function spend(share: CallShare, lane: Lane, now: number): void {
    share.remaining -= 1
    if (share.remaining >= 0) return
    share.remaining = 0
    const waitSeconds = Math.ceil(((share.minute + 1) * 60_000 - now) / 1000)
    const limit = limits[lane]
    const message = `Rate limit exceeded: ${limit} calls per minute, 0 remaining. Try again in ${waitSeconds} s.`
    throw new AppError('RATE_LIMITED', { retryAfter: waitSeconds, limit, remaining: 0 }, { message })
  }
}
