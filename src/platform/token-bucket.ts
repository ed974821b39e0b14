export function createTokenBucket(
  { perSecond, burst }: { perSecond: number; burst: number },
  now = () => performance.now(),
) {
  let tokens = burst
  let filledAt = now()
  /** Returns the remaining number. A negative number means that the limit is exceeded. */
  function take(count: number): number {
    const time = now()
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * perSecond) - count
    filledAt = time
    return tokens
  }
  return {
    take,
    wait: () => Math.max(0, (-take(0) / perSecond) * 1000),
  }
}
