import { type ProviderAnswer, ProviderFailure } from './provider.ts'

const longestWait = 3_600_000

/** For services that say 403 where they mean 429: their headers and words tell it from a refusal. */
export function refuseRateLimit(answer: ProviderAnswer, name: string, now: number): void {
  const { status, headers, body } = answer
  if (status !== 403 && status !== 429) return
  const isSaid = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (status === 403 && !isSaid && !/rate limit|too many requests/i.test(body.slice(0, 2000))) return
  const reason = `${name} answered ${status}: too many requests`
  const isForAll = status === 429 || isSaid
  throw new ProviderFailure('rate-limited', reason, { retryAfter: waitOf(headers, now), isForAll })
}

function waitOf(headers: Record<string, string>, now: number): number | undefined {
  const after = Number.parseInt(headers['retry-after'] ?? '', 10)
  const reset = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10)
  // The reset is a moment in seconds since 1970 for some, and seconds from now for others.
  const wait = Number.isNaN(after) ? (reset > 1e9 ? reset - now / 1000 : reset) : after
  return wait >= 0 ? Math.min(wait * 1000, longestWait) : undefined
}
