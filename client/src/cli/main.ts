import { type ExitCode, exitCodes } from './exit-codes.ts'
import { runCommand, type StartOptions } from './run-command.ts'
import { UsageError } from './usage-error.ts'

/** Runs the program `winnow` and ends the process with an exit code. */
export async function main(start: StartOptions): Promise<void> {
  const abortController = new AbortController()
  const pipe = watchPipe(() => abortController.abort(new Error('nobody reads the output')))
  process.on('SIGINT', () => {
    // A second Ctrl-C ends the process immediately.
    if (abortController.signal.aborted) process.exit(exitCodes.interrupted)
    abortController.abort(new Error('interrupted'))
  })
  const exitCode = await runCommand(start, abortController.signal).catch(async (thrown) =>
    reportFailure(thrown, abortController.signal),
  )
  const finalCode = pipe.isClosed() ? exitCodes.done : exitCode
  process.exitCode = finalCode
  // Open handles, such as idle connections, must not delay the end of the process.
  await flush(process.stdout)
  process.exit(finalCode)
}

async function reportFailure(thrown: unknown, signal: AbortSignal): Promise<ExitCode> {
  if (thrown instanceof UsageError) {
    const { safeText } = await import('./safe-text.ts')
    process.stderr.write(`winnow: ${safeText(thrown.message)}\n`)
    return exitCodes.usage
  }
  if (signal.aborted) return exitCodes.interrupted
  const { reportError } = await import('./report-error.ts')
  return reportError(thrown)
}

/** Detects a closed output pipe, as in `winnow scrape … | head`. A closed pipe is not a failure. */
function watchPipe(onClose: () => void) {
  let isClosed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    isClosed = true
    onClose()
  })
  // Standard error is closed, so the error cannot be reported.
  process.stderr.on('error', () => {})
  return { isClosed: () => isClosed }
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) =>
    stream.writableLength === 0 ? resolve() : stream.write('', () => resolve()),
  )
}
