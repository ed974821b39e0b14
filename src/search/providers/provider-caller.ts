import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'
import { Permits } from '../../platform/permits.ts'
import {
  type ProviderCall,
  type ProviderEndpoint,
  ProviderFailure,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderResult,
  type SearchProvider,
} from './provider.ts'

export interface ConfiguredProvider {
  provider: SearchProvider
  endpoint: ProviderEndpoint
}

export interface ProviderRequester {
  teamId: string
  /** No part of the request may be cached. */
  isPrivate: boolean
  signal: AbortSignal
}

export interface ProviderCaller {
  /** Throws a {@link ProviderFailure} if the provider returns no valid response. */
  ask(
    configured: ConfiguredProvider,
    request: ProviderRequest,
    requester: ProviderRequester,
  ): Promise<ProviderResult[]>
}

interface Health {
  queue: Permits
  nextAt: number
  shared: Backoff
  /** Back-offs for single teams, whose queries may cause the failures. */
  byTeam: LRUCache<string, Backoff>
  /** Team of the last request with a failure that an outage may cause; undefined after a success. */
  failedTeam: string | undefined
}

interface Backoff {
  until: number
  reason: string
  failures: number
}

const noBackoff: Backoff = { until: 0, reason: '', failures: 0 }

const maxWaitMs = 10_000
const maxResponseMs = 15_000
const minBackoffMs = 15_000
const maxBackoffMs = 15 * 60_000
const cacheTtlMs = 5 * 60_000
const maxCachedResults = 500
const maxTeams = 1000

export function createProviderCaller(deps: {
  clock: Clock
  send(call: ProviderCall, signal: AbortSignal): Promise<ProviderResponse>
}): ProviderCaller {
  const { clock, send } = deps

  const healthByProvider = new Map<string, Health>()
  const cache = new LRUCache<string, ProviderResult[]>({
    ...{ max: maxCachedResults, ttl: cacheTtlMs, ttlResolution: 0, perf: clock },
  })
  const getHealth = (name: string): Health => {
    const health: Health = healthByProvider.get(name) ?? {
      ...{ queue: new Permits({ count: 1 }), nextAt: 0, shared: noBackoff, failedTeam: undefined },
      byTeam: new LRUCache({ max: maxTeams }),
    }
    healthByProvider.set(name, health)
    return health
  }

  return {
    async ask({ provider, endpoint }, request, requester) {
      const call = provider.call(request, endpoint)
      // The key includes the team: a fast response would reveal that another team has sent the same query.
      const key = JSON.stringify([requester.teamId, provider.name, call.method, call.url.href, call.body])
      const cached = cache.get(key)
      if (cached) return cached
      const health = getHealth(provider.name)
      await waitForPace(health, provider, { clock, requester })
      try {
        const timeout = AbortSignal.timeout(maxResponseMs)
        const signal = AbortSignal.any([requester.signal, timeout])
        const response = await send(call, signal).catch((thrown) => {
          const reason = `no answer in ${maxResponseMs / 1000} s`
          throw timeout.aborted ? new Error(reason, { cause: thrown }) : thrown
        })
        const results = provider.read(response, request)
        health.shared = noBackoff
        health.failedTeam = undefined
        health.byTeam.delete(requester.teamId)
        if (!requester.isPrivate) cache.set(key, results)
        return results
      } catch (thrown) {
        if (requester.signal.aborted) throw requester.signal.reason
        const failure = toFailure(thrown, provider)
        recordFailure(health, failure, { teamId: requester.teamId, now: clock.now() })
        throw failure
      }
    },
  }
}

/** Throws during a back-off, so that the load on a failing provider does not grow. */
async function waitForPace(
  health: Health,
  { name, pauseMs }: SearchProvider,
  { clock, requester }: { clock: Clock; requester: ProviderRequester },
): Promise<void> {
  requester.signal.throwIfAborted()
  throwIfBackingOff(health, requester, clock.now())
  const timeout = AbortSignal.timeout(maxWaitMs)
  const signal = AbortSignal.any([requester.signal, timeout])
  const permit = health.queue.run({ team: requester.teamId }, signal, async () => {
    const wait = health.nextAt - clock.now()
    if (wait > 0) await sleep(wait, undefined, { signal })
    // The previous request may have failed.
    throwIfBackingOff(health, requester, clock.now())
    health.nextAt = clock.now() + pauseMs
  })
  await permit.catch((thrown) => {
    if (thrown instanceof ProviderFailure || requester.signal.aborted || !timeout.aborted) throw thrown
    throw new ProviderFailure('rate-limited', `${name} is asked by too many searches at once`)
  })
}

function throwIfBackingOff({ shared, byTeam }: Health, { teamId }: ProviderRequester, now: number): void {
  const teamBackoff = byTeam.get(teamId) ?? noBackoff
  const { until, reason } = teamBackoff.until > shared.until ? teamBackoff : shared
  if (until <= now) return
  throw new ProviderFailure('failed', `${reason}; it is asked again in ${Math.ceil((until - now) / 1000)} s`)
}

function toFailure(thrown: unknown, { name }: SearchProvider): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new ProviderFailure('failed', `${name} could not be reached`, { responseText: message })
}

/**
 * The query may be the cause, so at first only its team backs off. Every team backs off after two teams in a row have
 * failed, or for a rate limit. A wrong key causes no back-off, because waiting does not help.
 */
function recordFailure(
  health: Health,
  failure: ProviderFailure,
  { teamId, now }: { teamId: string; now: number },
): void {
  if (failure.problem === 'unauthorized' || failure.problem === 'refused') return
  const { byTeam, failedTeam } = health
  byTeam.set(teamId, nextBackoff(byTeam.get(teamId) ?? noBackoff, failure, now))
  if (failure.problem === 'failed' || failure.problem === 'changed') health.failedTeam = teamId
  const isOutage = failedTeam !== undefined && failedTeam !== health.failedTeam
  if (isOutage || failure.isForAll) health.shared = nextBackoff(health.shared, failure, now)
}

function nextBackoff({ failures }: Backoff, { reason, retryAfter }: ProviderFailure, now: number): Backoff {
  const durationMs = retryAfter ?? Math.min(minBackoffMs * 2 ** failures, maxBackoffMs)
  return { until: now + durationMs, reason, failures: failures + 1 }
}
