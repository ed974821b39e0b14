import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { NowOrLater } from '../base/now-or-later.ts'
import { takeFromWindow } from '../store/rates.ts'
import type { Store } from '../store/schema.ts'
import type { Team } from './team.ts'

/** Calls that start work and calls that only read are counted separately: polling must not use up the budget for work. */
export type Lane = 'work' | 'read'

export type Admit = (team: Team, lane: Lane) => NowOrLater<void>

interface Share {
  minute: number
  left: number
  taken: number
}

/**
 * Limits calls per team and minute across all processes. A process takes its calls from the store in small
 * shares rather than one by one, so a call usually needs no query; the sum never exceeds the limit.
 */
export function rateLimiter(needs: { store: Store; clock: Clock; ratePerMinute: number }): Admit {
  const limits: Record<Lane, number> = { work: needs.ratePerMinute, read: needs.ratePerMinute * 10 }
  const shares: Record<Lane, Map<string, Share>> = { work: new Map(), read: new Map() }

  async function refill(team: Team, lane: Lane, minute: number): Promise<Share> {
    const limit = limits[lane]
    const wanted = Math.max(1, Math.floor(limit / 20))
    const taken = await takeFromWindow(needs.store.query, { teamId: team.id, lane, minute }, wanted).catch(
      (thrown) => uncounted(thrown, lane, wanted),
    )
    const granted = Math.max(0, Math.min(wanted, limit - (taken - wanted)))
    // Another call of this process may have refilled in the meantime: add its share, do not replace it.
    const other = shares[lane].get(team.id)
    const left = granted + (other?.minute === minute ? other.left : 0)
    const share = { minute, left, taken }
    shares[lane].set(team.id, share)
    return share
  }

  /** If the store cannot be written, for example on a full disk, calls that only read still succeed. */
  function uncounted(thrown: unknown, lane: Lane, wanted: number): number {
    const isAway = thrown instanceof AppError && thrown.code === 'STORE_UNAVAILABLE'
    if (lane === 'read' && isAway) return wanted
    throw thrown
  }

  return (team, lane) => {
    const now = needs.clock.now()
    const minute = Math.floor(now / 60_000)
    const share = shares[lane].get(team.id)
    if (share?.minute !== minute) return refill(team, lane, minute).then((fresh) => spend(fresh, lane, now))
    // Once the window is used up, further calls must not cost a query each.
    if (share.left > 0 || share.taken >= limits[lane]) return spend(share, lane, now)
    return refill(team, lane, minute).then((fresh) => spend(fresh, lane, now))
  }

  function spend(share: Share, lane: Lane, now: number): void {
    share.left -= 1
    if (share.left >= 0) return
    share.left = 0
    const wait = Math.ceil(((share.minute + 1) * 60_000 - now) / 1000)
    throw new AppError(
      'RATE_LIMITED',
      { retryAfter: wait, limit: limits[lane], remaining: 0 },
      {
        message: `Rate limit exceeded: ${limits[lane]} calls per minute, 0 remaining. Try again in ${wait} s.`,
      },
    )
  }
}
