/**
 * Runs the work one at a time: a call during a run makes the work run once more, and returns immediately. A run always
 * starts after each call, so it sees everything that existed before. No run starts after the abort.
 */
export function coalesce(work: () => Promise<void>, signal: AbortSignal): () => Promise<void> {
  let isRunning = false
  let again = false
  return async () => {
    again = true
    if (isRunning) return
    isRunning = true
    try {
      while (again && !signal.aborted) {
        again = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
}
