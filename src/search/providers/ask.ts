import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderFailure,
  type ProviderPlace,
  type ProviderRequest,
  type ProviderResult,
  type SearchProvider,
} from './provider.ts'

export interface AskNeeds {
  clock: Clock
  /** One request over HTTP. */
  send(call: ProviderCall, signal: AbortSignal): Promise<ProviderAnswer>
}

export interface AskedProvider {
  provider: SearchProvider
  place: ProviderPlace
}

/** Asks providers as their operators want to be asked. */
export interface Asking {
  /** Throws a {@link ProviderFailure} where there are no results to be had. */
  ask(asked: AskedProvider, request: ProviderRequest, signal: AbortSignal): Promise<ProviderResult[]>
  /** Why a provider is not asked for now; undefined where it may be. */
  rests(name: string): string | undefined
}

interface Health {
  /** When the next request may be sent. */
  next: number
  /** Until when it is left alone after it failed, and why. */
  restsUntil: number
  reason: string
  failures: number
}

const longestWait = 10_000
const firstRest = 15_000
const longestRest = 15 * 60_000
const keptMs = 5 * 60_000
const mostKept = 500

export function createAsking({ clock, send }: AskNeeds): Asking {
  const healths = new Map<string, Health>()
  const kept = new Map<string, { at: number; results: ProviderResult[] }>()
  const healthOf = (name: string): Health => {
    const known = healths.get(name) ?? { next: 0, restsUntil: 0, reason: '', failures: 0 }
    healths.set(name, known)
    return known
  }

  function recall(key: string): ProviderResult[] | undefined {
    const found = kept.get(key)
    return found && clock.now() - found.at < keptMs ? found.results : undefined
  }

  function remember(key: string, results: ProviderResult[]): void {
    kept.delete(key)
    kept.set(key, { at: clock.now(), results })
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
  }

  return {
    async ask({ provider, place }, request, signal) {
      const call = provider.call(request, place)
      const key = `${provider.name} ${call.method} ${call.url.href} ${call.body ?? ''}`
      const recent = recall(key)
      if (recent) return recent
      const health = healthOf(provider.name)
      await takeTurn(health, provider, { clock, signal })
      try {
        const results = provider.read(await send(call, signal), request)
        health.failures = 0
        remember(key, results)
        return results
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        throw noteFailure(health, failureOf(thrown, provider), clock.now())
      }
    },
    rests(name) {
      const health = healths.get(name)
      return health && health.restsUntil > clock.now() ? health.reason : undefined
    },
  }
}

/** Waits for the pace of a provider. One that failed is left alone for a while, so that it is not made worse. */
async function takeTurn(
  health: Health,
  { name, pauseMs }: SearchProvider,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const now = clock.now()
  if (health.restsUntil > now) {
    const seconds = Math.ceil((health.restsUntil - now) / 1000)
    throw new ProviderFailure('failed', `${health.reason}; it is asked again in ${seconds} s`)
  }
  const at = Math.max(now, health.next)
  if (at - now > longestWait)
    throw new ProviderFailure('rate-limited', `${name} is asked by too many searches at once`)
  health.next = at + pauseMs
  if (at > now) await sleep(at - now, undefined, { signal })
}

function failureOf(thrown: unknown, { name }: SearchProvider): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new ProviderFailure('failed', `${name} could not be reached: ${said}`)
}

/** Each failure in a row doubles the rest; a wrong key is no matter of time. */
function noteFailure(health: Health, failure: ProviderFailure, now: number): ProviderFailure {
  if (failure.problem === 'unauthorized') return failure
  health.failures += 1
  const rest = failure.retryAfter ?? Math.min(firstRest * 2 ** (health.failures - 1), longestRest)
  health.restsUntil = now + rest
  health.reason = failure.message
  return failure
}
