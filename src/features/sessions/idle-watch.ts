/** Tells when a session has been left alone for too long. Work that is under way counts as activity until it ends. */
export interface IdleWatch {
  /** Somebody used the session. */
  touch(): void
  /** Until the answer is called, the session is in use. */
  busy(): () => void
  lastActivity(): number
  stop(): void
}

export function watchIdle(
  needs: { now(): number; idleMs: number; since: number },
  onIdle: () => void,
): IdleWatch {
  let last = needs.since
  let running = 0
  let timer = setTimeout(look, needs.idleMs)
  // One timer that looks again, not one per message: a busy DevTools client sends thousands in a second.
  function look(): void {
    const left = last + needs.idleMs - needs.now()
    if (running === 0 && left <= 0) onIdle()
    else timer = setTimeout(look, running > 0 ? needs.idleMs : left)
  }
  const touch = () => {
    last = needs.now()
  }
  return {
    touch,
    busy() {
      touch()
      running += 1
      return () => {
        running -= 1
        touch()
        if (running > 0) return
        // While work was under way, the timer looked only now and then.
        clearTimeout(timer)
        timer = setTimeout(look, needs.idleMs)
      }
    },
    lastActivity: () => last,
    stop: () => {
      clearTimeout(timer)
      running = Number.POSITIVE_INFINITY
    },
  }
}
