import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { readInput } from './request.ts'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { UsageError } from './usage-error.ts'

/** Returns the code for `browser run` and `interact`, from an argument, a file or standard input. */
export async function getCode({ values, body }: Context, argument: string): Promise<string> {
  const file = values.texts.get('file')
  if (file !== undefined && argument !== '') throw new UsageError('Give code or --file, not both.')
  if (file !== undefined) return readInput(file, '--file')
  if (argument === '-') return readInput('-', 'standard input')
  if (argument !== '') return argument
  if (typeof body.code === 'string') return body.code
  throw new UsageError(
    `CODE is missing: write it behind the id, for example "await page.title()", or use --file.`,
  )
}

interface Execution {
  output?: string
  stdout?: string | null
  result?: string | null
  stderr?: string | null
  exitCode?: number | null
  killed?: boolean
  error?: string
  truncated?: boolean
  warning?: string
}

/** Prints the result of code or a prompt like the output of a local program. */
export async function printExecution({ terminal, values }: Context, execution: Execution): Promise<ExitCode> {
  const { output, stdout, result, stderr, exitCode, killed, error, truncated, warning } = execution
  const hasFailed = error !== undefined || killed === true || (exitCode ?? 0) !== 0
  if (values.flags.has('json')) await terminal.print(`${safeJson(execution, 2)}\n`)
  else {
    if (stderr) terminal.warn(safeText(stderr).trimEnd())
    for (const text of [stdout, output ?? result])
      if (text) await terminal.print(`${safeText(text).trimEnd()}\n`)
  }
  if (warning) terminal.info(`Warning: ${warning}`)
  if (truncated) terminal.warn('winnow: The output was longer than the service returns; the rest is missing.')
  if (killed)
    terminal.warn('winnow: It was ended because it reached its time. Allow more with --timeout SECONDS.')
  else if (error !== undefined) terminal.warn(`winnow: ${safeLine(error)}`)
  return hasFailed ? exitCodes.failed : exitCodes.done
}
