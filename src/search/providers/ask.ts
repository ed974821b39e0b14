import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { type FairPlaces, fairPlaces } from '../../base/fair-places.ts'
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderFailure,
  type ProviderPlace,
  type ProviderRequest,
  type ProviderResult,
  type SearchProvider,
} from './provider.ts'
import { recentAnswers } from './recent-answers.ts'

export interface AskNeeds {
  clock: Clock
  /** One request over HTTP. */
  send(call: ProviderCall, signal: AbortSignal): Promise<ProviderAnswer>
}

export interface AskedProvider {
  provider: SearchProvider
  place: ProviderPlace
}

/** On whose behalf a provider is asked; the provider does not learn it. */
export interface Asker {
  teamId: string
  /** Nothing of what was asked may be remembered. */
  isPrivate: boolean
  signal: AbortSignal
}

/** Asks providers as their operators want to be asked. */
export interface Asking {
  /** Throws a {@link ProviderFailure} where there are no results to be had. */
  ask(asked: AskedProvider, request: ProviderRequest, asker: Asker): Promise<ProviderResult[]>
  /** Why a provider is not asked for now; undefined where it may be. */
  rests(name: string): string | undefined
}

interface Health {
  /** Where searches wait for the pace of the provider, each team in a line of its own. */
  line: FairPlaces
  /** When the next request may be sent. */
  next: number
  /** Until when it is left alone after it failed, and why. */
  restsUntil: number
  reason: string
  failures: number
}

const longestWait = 10_000
const longestAnswer = 15_000
const firstRest = 15_000
const longestRest = 15 * 60_000

export function createAsking({ clock, send }: AskNeeds): Asking {
  const healths = new Map<string, Health>()
  const recent = recentAnswers<ProviderResult[]>(clock)
  const healthOf = (name: string): Health => {
    const line = fairPlaces({ places: 1, spare: 0 })
    const known = healths.get(name) ?? { line, next: 0, restsUntil: 0, reason: '', failures: 0 }
    healths.set(name, known)
    return known
  }

  return {
    async ask({ provider, place }, request, asker) {
      const call = provider.call(request, place)
      const key = `${provider.name} ${call.method} ${call.url.href} ${call.body ?? ''}`
      const known = recent.find(key)
      if (known) return known
      const health = healthOf(provider.name)
      await takeTurn(health, provider, { clock, asker })
      try {
        const time = AbortSignal.timeout(longestAnswer)
        const answer = await send(call, AbortSignal.any([asker.signal, time])).catch((thrown) => {
          throw time.aborted ? new Error(`no answer in ${longestAnswer / 1000} s`, { cause: thrown }) : thrown
        })
        const results = provider.read(answer, request)
        health.failures = 0
        if (!asker.isPrivate) recent.keep(key, results)
        return results
      } catch (thrown) {
        if (asker.signal.aborted) throw asker.signal.reason
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
  { clock, asker }: { clock: Clock; asker: Asker },
): Promise<void> {
  asker.signal.throwIfAborted()
  refuseResting(health, clock.now())
  const tooLong = AbortSignal.timeout(longestWait)
  const signal = AbortSignal.any([asker.signal, tooLong])
  const crowded = (thrown: unknown) => {
    if (asker.signal.aborted || !tooLong.aborted) throw thrown
    throw new ProviderFailure('rate-limited', `${name} is asked by too many searches at once`)
  }
  const place = await health.line.enter({ team: asker.teamId }, signal).catch(crowded)
  try {
    const wait = health.next - clock.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(crowded)
    // It may have failed with the one before.
    refuseResting(health, clock.now())
    health.next = clock.now() + pauseMs
  } finally {
    place.leave()
  }
}

function refuseResting({ restsUntil, reason }: Health, now: number): void {
  if (restsUntil <= now) return
  const seconds = Math.ceil((restsUntil - now) / 1000)
  throw new ProviderFailure('failed', `${reason}; it is asked again in ${seconds} s`)
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
