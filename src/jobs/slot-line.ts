import type { Store } from '../store/schema.ts'

/** One caller in the line for a slot of its team. */
export interface QueuePosition {
  /** Whether nobody of this process came before. Only the head asks the store, so a long line costs no more. */
  isHead(): boolean
  /** Resolves when a slot became free or someone in front has left, and after a second in any case. */
  movement(signal: AbortSignal): Promise<void>
  leave(): void
}

/**
 * The callers of this process that wait for a slot, in the order of their jobs' ids. The store orders all waiting
 * callers by the same ids: any other order here could make two callers wait for each other.
 */
export function slotLines(store: Store) {
  const lines = new Map<string, Waiting[]>()
  const stop = store.listen('slot', (teamId) => wake(teamId))

  function wake(teamId: string): void {
    lines.get(teamId)?.[0]?.wake()
  }

  return {
    stop,
    join(teamId: string, id: string): QueuePosition {
      const line = lines.get(teamId) ?? []
      lines.set(teamId, line)
      const me = waiting(id)
      const behind = line.findIndex((other) => other.id > id)
      line.splice(behind < 0 ? line.length : behind, 0, me)
      return {
        isHead: () => line[0] === me,
        movement: me.movement,
        leave() {
          line.splice(line.indexOf(me), 1)
          if (line.length === 0) lines.delete(teamId)
          wake(teamId)
        },
      }
    },
  }
}

interface Waiting {
  id: string
  wake(): void
  movement(signal: AbortSignal): Promise<void>
}

function waiting(id: string): Waiting {
  let isWoken = false
  let resume: (() => void) | undefined
  return {
    id,
    wake() {
      // Nobody listens while the store is being asked: the wake-up is kept for when they do.
      isWoken = true
      resume?.()
    },
    movement(signal) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        // Wake-ups from other processes can be lost, and other processes have lines of their own.
        const timer = setTimeout(done, 1000)
        signal.addEventListener('abort', done, { once: true })
        function done(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resume = undefined
          isWoken = false
          if (signal.aborted) reject(signal.reason)
          else resolve()
        }
        resume = done
        if (isWoken) done()
      })
    },
  }
}
