export interface BucketLimits {
  perSecond: number
  /** Maximum number of tokens in the bucket. */
  burst: number
}

export interface Bucket {
  /** Takes this many tokens and returns the remaining number. A negative number means that the limit is exceeded. */
  take(count: number): number
  /** Returns the milliseconds until the number of tokens is no longer negative. */
  wait(): number
}

/** Creates a token bucket, which limits the rate of an operation. */
export function createTokenBucket({ perSecond, burst }: BucketLimits, now = () => performance.now()): Bucket {
  let tokens = burst
  let filledAt = now()
  function take(count: number): number {
    const time = now()
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * perSecond) - count
    filledAt = time
    return tokens
  }
  return { take, wait: () => Math.max(0, (-take(0) / perSecond) * 1000) }
}
