import { JobFailedError } from '../errors.ts'
import type { PagesJob } from '../pages-job.ts'
import { cancelInterrupted } from './cancel-interrupted.ts'
import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { openPageWriter, type PageWriter } from './output/page-writer.ts'
import { getPagesTarget } from './output/target.ts'
import { countFailed, duration, showProgress } from './progress.ts'
import { quoteForShell, safeLine } from './safe-text.ts'

/** Offset beyond the last page of any job, to wait for its end without reading pages. */
const offsetBeyondEnd = 1_000_000_000

/** Writes the pages of a crawl or batch as they become available, until the job ends or the user presses Ctrl-C. */
export async function watchPages(context: Context, job: PagesJob): Promise<ExitCode> {
  const { terminal, signal } = context
  const writer = await openPageWriter(context, job)
  terminal.info(`${job.kind === 'crawl' ? 'Crawl' : 'Batch'} ${job.id}`)
  const progress = showProgress(job, terminal, signal)
  let ended: JobFailedError | undefined
  try {
    const skip = writer.isDownload ? offsetBeyondEnd : 0
    for await (const page of job.pages({ signal, skip })) await writer.write(page)
  } catch (thrown) {
    if (signal.aborted) return await handleInterrupt(context, job, { writer, stop: progress.stop })
    if (!(thrown instanceof JobFailedError)) {
      await writer.discard()
      throw thrown
    }
    ended = thrown
  } finally {
    progress.stop()
  }
  await writer.finish()
  return reportEnd(context, job, { ended, writer })
}

async function handleInterrupt(
  context: Context,
  job: PagesJob,
  { writer, stop }: { writer: PageWriter; stop(): void },
): Promise<ExitCode> {
  stop()
  await writer.discard()
  const { terminal, values } = context
  const { kind } = job
  const watchCommand = `  winnow watch ${job.id}${repeatedOptions(context)}`.trimEnd()
  if (!values.flags.has('cancel-on-interrupt')) {
    terminal.warn(`\nThe ${kind} goes on. Watch it again with:\n${watchCommand}`)
    return exitCodes.interrupted
  }
  if (await cancelInterrupted(terminal, { kind, job, watchCommand }))
    terminal.warn(`The ${kind} is cancelled. The pages it has can still be read with:\n${watchCommand}`)
  return exitCodes.interrupted
}

/** Returns the options that a resumed command needs for the same output. */
export function repeatedOptions({ values, urlOption }: Context): string {
  const output = values.texts.get('output')
  const json = values.flags.has('json') ? ' --json' : ''
  return `${urlOption}${json}${output === undefined ? '' : ` --output ${quoteForShell(output)}`}`
}

const maxErrors = 10

async function reportEnd(
  context: Context,
  job: PagesJob,
  { ended, writer }: { ended: JobFailedError | undefined; writer: PageWriter },
): Promise<ExitCode> {
  const { terminal, signal } = context
  const progress = await job.progress({ signal })
  const failed = await countFailed(job, signal)
  const seconds = progress.duration === undefined ? '' : ` in ${duration(progress.duration)}`
  const credits = `${progress.creditsUsed} ${progress.creditsUsed === 1 ? 'credit' : 'credits'}`
  terminal.info(`${progress.completed} pages${seconds}, ${failed} failed, ${credits}.${writer.summary()}`)
  if (failed > 0) await reportErrors(context, job)
  const isEmpty = progress.completed === 0
  if (ended) {
    terminal.warn(`winnow: The ${job.kind} was not completed: ${safeLine(ended.message)} (${ended.code})`)
    terminal.warn(`winnow: winnow ask "what happened?" --job ${job.id}${context.urlOption} looks into it.`)
    return exitCodes.failed
  }
  if (failed > 0) return isEmpty ? exitCodes.failed : exitCodes.partlyFailed
  // The hint about --output is only useful if that option is not set.
  if (isEmpty)
    terminal.warn('winnow: There are no pages. "winnow map" shows what a site has; see also --entire-domain.')
  else if (getPagesTarget(context).kind === 'none' && terminal.isTerminal)
    terminal.info(`Pages as files: winnow watch ${job.id}${context.urlOption} --output FOLDER`)
  return exitCodes.done
}

async function reportErrors({ terminal, signal }: Context, job: PagesJob): Promise<void> {
  const { errors } = await job.errors({ signal })
  for (const { url, code, error } of errors.slice(0, maxErrors))
    terminal.info(`  ${safeLine(url)}: ${safeLine(error)} (${code})`)
  if (errors.length > maxErrors) terminal.info(`  … and ${errors.length - maxErrors} more`)
}
