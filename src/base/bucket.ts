export interface BucketLimits {
  perSecond: number
  /** As many may come together, after a pause. */
  atOnce: number
}

export interface Bucket {
  /** What is left after taking so many; below zero, it was too many. */
  take(count: number): number
  /** Milliseconds until nothing is owed. */
  wait(): number
}

/** How often something may happen: filled again as time goes by. */
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
