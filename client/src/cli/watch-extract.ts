import type { ExtractJob } from '../data-job.ts'
import { JobFailedError } from '../errors.ts'
import type { ExtractStatus } from '../types.ts'
import { cancelInterrupted } from './cancel-interrupted.ts'
import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { writeAtomically } from './output/atomic-file.ts'
import { targetOf } from './output/target.ts'
import { duration } from './progress.ts'
import { safeJson, safeLine } from './safe-text.ts'
import { UsageError } from './usage-error.ts'
import { repeatedOptions } from './watch-pages.ts'

/** Values are one object, so they go into one file. */
export function extractTarget(context: Context) {
  const target = targetOf(context)
  if (target.kind === 'folder')
    throw new UsageError('The values are one object. Name a file: --output values.json')
  return target
}

/** Waits for the values of an extract. */
export async function watchExtract(context: Context, job: ExtractJob): Promise<ExitCode> {
  const { terminal, signal } = context
  extractTarget(context)
  terminal.note(`Extract ${job.id}`)
  const begin = performance.now()
  const tick = setInterval(
    () => terminal.status?.(`reading · ${duration((performance.now() - begin) / 1000)}`),
    1000,
  )
  try {
    const result = await job.wait({ signal })
    clearInterval(tick)
    terminal.status?.('')
    await show(context, result)
    return exitCodes.done
  } catch (thrown) {
    clearInterval(tick)
    terminal.status?.('')
    if (signal.aborted) return interrupted(context, job)
    if (!(thrown instanceof JobFailedError)) throw thrown
    terminal.warn(`winnow: The extract was not completed: ${safeLine(thrown.message)} (${thrown.code})`)
    terminal.warn(`winnow: winnow ask "what happened?" --job ${job.id}${context.repeat} looks into it.`)
    return exitCodes.failed
  }
}

async function interrupted(context: Context, job: ExtractJob): Promise<ExitCode> {
  const { terminal, values } = context
  const again = `  winnow watch ${job.id}${repeatedOptions(context)}`
  if (!values.flags.has('cancel-on-interrupt'))
    terminal.warn(`\nThe extract goes on. Watch it again with:\n${again}`)
  else if (await cancelInterrupted(terminal, { kind: 'extract', job, again }))
    terminal.warn('The extract is cancelled.')
  return exitCodes.interrupted
}

async function show(context: Context, result: ExtractStatus): Promise<void> {
  const { terminal, values } = context
  if (result.warning) terminal.note(`Warning: ${result.warning}`)
  const target = extractTarget(context)
  const { success: _, ...whole } = result
  const text = `${safeJson(values.flags.has('json') ? whole : shown(result), 2)}\n`
  if (target.kind === 'none') return terminal.print(text)
  await writeAtomically(target.path, text)
  terminal.note(`Written to ${target.path}.`)
}

/** The values; with --sources also where they stand and where pages disagree. */
function shown({ data, sources, conflicts }: ExtractStatus): unknown {
  return sources === undefined ? data : { data, sources, conflicts }
}
