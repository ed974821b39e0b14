/** Lets a limited number in at the same time; the others wait in the order they came. */
export interface Semaphore {
  /** Resolves when there is a place. A caller that is gone before that leaves the line. */
  acquire(signal?: AbortSignal): Promise<void>
  /** Gives a place back that was acquired. */
  release(): void
  /** Holds a place for as long as the work takes, whatever becomes of it. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export function semaphore(places: number): Semaphore {
  let free = places
  const line = new Set<() => void>()

  async function acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) free -= 1
    else await inLine(line, signal)
  }

  function release(): void {
    const [next] = line
    if (!next) free += 1
    else {
      // The place is handed over: nobody who comes in between can take it.
      line.delete(next)
      next()
    }
  }

  return {
    acquire,
    release,
    async run(work, signal) {
      await acquire(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

function inLine(line: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const enter = () => {
    signal?.removeEventListener('abort', giveUp)
    resolve()
  }
  const giveUp = () => {
    line.delete(enter)
    reject(signal?.reason)
  }
  line.add(enter)
  signal?.addEventListener('abort', giveUp, { once: true })
  return promise
}
