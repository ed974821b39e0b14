import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

interface InterruptedJob {
  /** Name of the job type: crawl, batch or extract. */
  kind: string
  job: { id: string; cancel(): Promise<unknown> }
  /** Command that watches the job. */
  watchCommand: string
}

/** Cancels an interrupted job and returns true. If that fails, prints how to watch the job and returns false. */
export async function cancelInterrupted(
  terminal: Terminal,
  { kind, job, watchCommand }: InterruptedJob,
): Promise<boolean> {
  terminal.warn(`\nCancelling the ${kind} ${job.id}. Ctrl-C again ends this at once.`)
  try {
    await job.cancel()
    return true
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    terminal.warn(`The ${kind} was not cancelled: ${safeLine(reason)}\nLook at it with:\n${watchCommand}`)
    return false
  }
}
