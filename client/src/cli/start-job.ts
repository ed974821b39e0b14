import type { StartOptions } from '../start-job.ts'
import type { Context } from './command.ts'

interface StartedJob {
  started: object | undefined
}

/** Starts a job. If the user interrupts the start, prints how to check if the job exists. */
export async function startJob<Job extends StartedJob>(
  { terminal, signal, urlOption }: Context,
  endpoint: string,
  start: (options: StartOptions) => Promise<Job>,
): Promise<Job> {
  try {
    const job = await start({ signal })
    const { warning } = (job.started ?? {}) as { warning?: string }
    if (warning) terminal.info(`Warning: ${warning}`)
    return job
  } catch (thrown) {
    if (signal.aborted)
      terminal.warn(
        `\nInterrupted while it started. Whether it did: winnow activity --endpoint ${endpoint}${urlOption}`,
      )
    throw thrown
  }
}
