import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

interface Cancelled {
  /** What it is called: a crawl, a batch, an extract. */
  kind: string
  job: { id: string; cancel(): Promise<unknown> }
  /** The command that watches it. */
  again: string
}

/** Cancels what was interrupted. A user who cannot wait for the service, or gets no answer from it, knows what is left. */
export async function cancelInterrupted(
  terminal: Terminal,
  { kind, job, again }: Cancelled,
): Promise<boolean> {
  terminal.warn(`\nCancelling the ${kind} ${job.id}. Ctrl-C again ends this at once.`)
  try {
    await job.cancel()
    return true
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    terminal.warn(`The ${kind} was not cancelled: ${safeLine(reason)}\nLook at it with:\n${again}`)
    return false
  }
}
