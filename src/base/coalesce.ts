/**
 * One run of the work at a time: a call during another makes that one run once more, and answers at once. Nothing that was
 * there before a call is missed, however many calls there are. No run begins after the abort.
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
