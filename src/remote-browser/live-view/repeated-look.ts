/** The polling interval after a change, and without changes. */
const lookWithinMs = { changed: 500, atRest: 2000 }

export interface RepeatedLook {
  start(): void
  /** Something has changed: the next poll is sooner, and continuous changes do not delay it. */
  soon(): void
  stop(): void
}

/** Polls, between start and stop, for changes that have no event. */
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
