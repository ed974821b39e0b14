/** How soon a look follows: on something that has just changed, and where nothing moves. */
const lookWithinMs = { changed: 500, atRest: 2000 }

export interface RepeatedLook {
  start(): void
  /** Something has changed: the next look comes sooner, and changes without end do not put it off. */
  soon(): void
  stop(): void
}

/** Looks again and again, between start and stop, at what no event tells of. */
export function repeatedLook(look: () => Promise<void>): RepeatedLook {
  let isOn = false
  let next: { timer: NodeJS.Timeout; at: number } | undefined

  function within(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (!isOn || (next && next.at <= at)) return
    clearTimeout(next?.timer)
    next = { at, timer: setTimeout(lookOnce, milliseconds) }
  }

  async function lookOnce(): Promise<void> {
    next = undefined
    await look()
    within(lookWithinMs.atRest)
  }

  return {
    start() {
      isOn = true
      within(lookWithinMs.changed)
    },
    soon: () => within(lookWithinMs.changed),
    stop() {
      isOn = false
      clearTimeout(next?.timer)
      next = undefined
    },
  }
}
