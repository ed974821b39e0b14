export interface BucketLimits {
  perSecond: number
  /** The burst that is allowed after a pause. */
  atOnce: number
}

export interface Bucket {
  /** What is left after taking this many; below zero means over the limit. */
  take(count: number): number
  /** Milliseconds until nothing is owed. */
  wait(): number
}

/** A token bucket: limits how often something may happen, refilled over time. */
export function bucket({ perSecond, atOnce }: BucketLimits, now = () => performance.now()): Bucket {
  let left = atOnce
  let filled = now()
  function take(count: number): number {
    const at = now()
    left = Math.min(atOnce, left + ((at - filled) / 1000) * perSecond) - count
    filled = at
    return left
  }
  return { take, wait: () => Math.max(0, (-take(0) / perSecond) * 1000) }
}
