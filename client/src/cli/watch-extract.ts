import type { ExtractJob } from '../data-job.ts'
import { JobFailedError } from '../errors.ts'
import type { ExtractStatus } from '../types.ts'
import { cancelInterrupted } from './cancel-interrupted.ts'
import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { writeAtomically } from './output/atomic-file.ts'
import { getTarget } from './output/target.ts'
import { duration } from './progress.ts'
import { safeJson, safeLine } from './safe-text.ts'
import { UsageError } from './usage-error.ts'
import { repeatedOptions } from './watch-pages.ts'

/** Returns the output target. Throws for a folder, because the values are one object. */
export function extractTarget(context: Context) {
  const target = getTarget(context)
  if (target.kind === 'folder')
    throw new UsageError('The values are one object. Name a file: --output values.json')
  return target
}

/** Waits for an extract and writes its values. */
export async function watchExtract(context: Context, job: ExtractJob): Promise<ExitCode> {
  const { terminal, signal } = context
  extractTarget(context)
  terminal.info(`Extract ${job.id}`)
  const startedAt = performance.now()
  const timer = setInterval(
    () => terminal.status?.(`reading · ${duration((performance.now() - startedAt) / 1000)}`),
    1000,
  )
  try {
    const result = await job.wait({ signal })
    clearInterval(timer)
    terminal.status?.('')
    await writeResult(context, result)
    return exitCodes.done
  } catch (thrown) {
    clearInterval(timer)
    terminal.status?.('')
    if (signal.aborted) return handleInterrupt(context, job)
    if (!(thrown instanceof JobFailedError)) throw thrown
    terminal.warn(`winnow: The extract was not completed: ${safeLine(thrown.message)} (${thrown.code})`)
    terminal.warn(`winnow: winnow ask "what happened?" --job ${job.id}${context.urlOption} looks into it.`)
    return exitCodes.failed
  }
}

async function handleInterrupt(context: Context, job: ExtractJob): Promise<ExitCode> {
  const { terminal, values } = context
  const watchCommand = `  winnow watch ${job.id}${repeatedOptions(context)}`
  if (!values.flags.has('cancel-on-interrupt'))
    terminal.warn(`\nThe extract goes on. Watch it again with:\n${watchCommand}`)
  else if (await cancelInterrupted(terminal, { kind: 'extract', job, watchCommand }))
    terminal.warn('The extract is cancelled.')
  return exitCodes.interrupted
}

async function writeResult(context: Context, result: ExtractStatus): Promise<void> {
  const { terminal, values } = context
  if (result.warning) terminal.info(`Warning: ${result.warning}`)
  const target = extractTarget(context)
  const { success: _, ...rest } = result
  const text = `${safeJson(values.flags.has('json') ? rest : toOutput(result), 2)}\n`
  if (target.kind === 'none') return terminal.print(text)
  await writeAtomically(target.path, text)
  terminal.info(`Written to ${target.path}.`)
}

/** Returns the values. With --sources, also their sources and the conflicts between pages. */
function toOutput({ data, sources, conflicts }: ExtractStatus): unknown {
  return sources === undefined ? data : { data, sources, conflicts }
}
