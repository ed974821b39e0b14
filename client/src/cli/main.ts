import { type ExitCode, exitCodes } from './exit-codes.ts'
import { runCommand, type Start } from './run-command.ts'
import { UsageError } from './usage-error.ts'

/** The program `winnow`: ends the process with one of the exit codes. */
export async function main(start: Start): Promise<void> {
  const interrupted = new AbortController()
  const pipe = watchPipe(() => interrupted.abort(new Error('nobody reads the output')))
  process.on('SIGINT', () => {
    // A user who presses it a second time does not want to wait for anything.
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted)
    interrupted.abort(new Error('interrupted'))
  })
  const ended = await runCommand(start, interrupted.signal).catch(async (thrown) =>
    failed(thrown, interrupted.signal),
  )
  const code = pipe.isClosed() ? exitCodes.done : ended
  process.exitCode = code
  // Whatever is still open (a connection that is kept for a next call) is of no use any more.
  await flushed(process.stdout)
  process.exit(code)
}

async function failed(thrown: unknown, signal: AbortSignal): Promise<ExitCode> {
  if (thrown instanceof UsageError) {
    const { safeText } = await import('./safe-text.ts')
    process.stderr.write(`winnow: ${safeText(thrown.message)}\n`)
    return exitCodes.usage
  }
  if (signal.aborted) return exitCodes.interrupted
  const { reportError } = await import('./report-error.ts')
  return reportError(thrown)
}

/** `winnow scrape … | head` ends when head does: that is no failure. */
function watchPipe(close: () => void) {
  let isClosed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    isClosed = true
    close()
  })
  // Nobody is left to read the error.
  process.stderr.on('error', () => {})
  return { isClosed: () => isClosed }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) =>
    stream.writableLength === 0 ? resolve() : stream.write('', () => resolve()),
  )
}
