import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'
import { Permits } from '../../platform/permits.ts'
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderFailure,
  type ProviderPlace,
  type ProviderRequest,
  type ProviderResult,
  type SearchProvider,
} from './provider.ts'

export interface ProviderCallerDeps {
  clock: Clock
  /** One request over HTTP. */
  send(call: ProviderCall, signal: AbortSignal): Promise<ProviderAnswer>
}

export interface ConfiguredProvider {
  provider: SearchProvider
  place: ProviderPlace
}

/** On whose behalf a provider is asked; the provider does not learn it. */
export interface ProviderRequester {
  teamId: string
  /** Nothing of what was asked may be remembered. */
  isPrivate: boolean
  signal: AbortSignal
}

/** Asks providers as their operators want to be asked. */
export interface ProviderCaller {
  /** Throws a {@link ProviderFailure} where there are no results to be had. */
  ask(
    asked: ConfiguredProvider,
    request: ProviderRequest,
    asker: ProviderRequester,
  ): Promise<ProviderResult[]>
}

interface Health {
  /** Where searches wait for the pace of the provider, each team in a line of its own. */
  line: Permits
  /** When the next request may be sent. */
  next: number
  /** Applies to every team. */
  shared: Rest
  /** Applies to one team: its queries may be what the provider fails with. */
  ofTeams: LRUCache<string, Rest>
  /** The team of the last request that failed, as an outage makes it fail; undefined after a success. */
  failedTeam: string | undefined
}

/** Until when a provider is left alone after it failed, and why. */
interface Rest {
  until: number
  reason: string
  failures: number
}

const noRest: Rest = { until: 0, reason: '', failures: 0 }

const longestWait = 10_000
const longestAnswer = 15_000
const firstRest = 15_000
const longestRest = 15 * 60_000
const keptMs = 5 * 60_000
const maxKept = 500

export function createProviderCaller({ clock, send }: ProviderCallerDeps): ProviderCaller {
  const healths = new Map<string, Health>()
  /** Answers of the last minutes: the same question again is not asked again. */
  const recent = new LRUCache<string, ProviderResult[]>({
    ...{ max: maxKept, ttl: keptMs, ttlResolution: 0, perf: clock },
  })
  const healthOf = (name: string): Health => {
    const line = new Permits({ count: 1 })
    const ofTeams = new LRUCache<string, Rest>({ max: maxTeams })
    const known = healths.get(name) ?? { line, next: 0, shared: noRest, ofTeams, failedTeam: undefined }
    healths.set(name, known)
    return known
  }

  return {
    async ask({ provider, place }, request, asker) {
      const call = provider.call(request, place)
      // With the team: an answer that comes at once would reveal that another team has asked the same.
      const key = JSON.stringify([asker.teamId, provider.name, call.method, call.url.href, call.body])
      const known = recent.get(key)
      if (known) return known
      const health = healthOf(provider.name)
      await takeTurn(health, provider, { clock, asker })
      try {
        const time = AbortSignal.timeout(longestAnswer)
        const answer = await send(call, AbortSignal.any([asker.signal, time])).catch((thrown) => {
          throw time.aborted ? new Error(`no answer in ${longestAnswer / 1000} s`, { cause: thrown }) : thrown
        })
        const results = provider.read(answer, request)
        noteSuccess(health, asker.teamId)
        if (!asker.isPrivate) recent.set(key, results)
        return results
      } catch (thrown) {
        if (asker.signal.aborted) throw asker.signal.reason
        throw noteFailure(health, failureOf(thrown, provider), { teamId: asker.teamId, now: clock.now() })
      }
    },
  }
}

/** Waits for the pace of a provider. One that failed is left alone for a while, so that it is not made worse. */
async function takeTurn(
  health: Health,
  { name, pauseMs }: SearchProvider,
  { clock, asker }: { clock: Clock; asker: ProviderRequester },
): Promise<void> {
  asker.signal.throwIfAborted()
  refuseResting(health, asker, clock.now())
  const tooLong = AbortSignal.timeout(longestWait)
  const signal = AbortSignal.any([asker.signal, tooLong])
  const turn = health.line.run({ team: asker.teamId }, signal, async () => {
    const wait = health.next - clock.now()
    if (wait > 0) await sleep(wait, undefined, { signal })
    // It may have failed with the one before.
    refuseResting(health, asker, clock.now())
    health.next = clock.now() + pauseMs
  })
  await turn.catch((thrown) => {
    if (thrown instanceof ProviderFailure || asker.signal.aborted || !tooLong.aborted) throw thrown
    throw new ProviderFailure('rate-limited', `${name} is asked by too many searches at once`)
  })
}

function refuseResting({ shared, ofTeams }: Health, { teamId }: ProviderRequester, now: number): void {
  const own = ofTeams.get(teamId) ?? noRest
  const { until, reason } = own.until > shared.until ? own : shared
  if (until <= now) return
  throw new ProviderFailure('failed', `${reason}; it is asked again in ${Math.ceil((until - now) / 1000)} s`)
}

function failureOf(thrown: unknown, { name }: SearchProvider): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new ProviderFailure('failed', `${name} could not be reached`, { said })
}

/** Teams with a rest of their own; beyond this number the oldest is dropped. */
const maxTeams = 1000

function noteSuccess(health: Health, teamId: string): void {
  health.shared = noRest
  health.failedTeam = undefined
  health.ofTeams.delete(teamId)
}

/**
 * A failure may be caused by the query, so at first only its team waits. Every team waits after two teams have failed in a row
 * with what no refusal looks like, or at once for a rate limit, which counts the requests of all. A wrong key is not a matter
 * of time.
 */
function noteFailure(
  health: Health,
  failure: ProviderFailure,
  { teamId, now }: { teamId: string; now: number },
): ProviderFailure {
  if (failure.problem === 'unauthorized' || failure.problem === 'refused') return failure
  const { ofTeams, failedTeam } = health
  ofTeams.set(teamId, longerRest(ofTeams.get(teamId) ?? noRest, failure, now))
  if (failure.problem === 'failed' || failure.problem === 'changed') health.failedTeam = teamId
  const isOutage = failedTeam !== undefined && failedTeam !== health.failedTeam
  if (isOutage || failure.isForAll) health.shared = longerRest(health.shared, failure, now)
  return failure
}

/** Each failure in a row doubles the rest. */
function longerRest({ failures }: Rest, { reason, retryAfter }: ProviderFailure, now: number): Rest {
  const rest = retryAfter ?? Math.min(firstRest * 2 ** failures, longestRest)
  return { until: now + rest, reason, failures: failures + 1 }
}
