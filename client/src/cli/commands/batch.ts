import { argumentsAt, type Context, type Run } from '../command.ts'
import { getPagesTarget } from '../output/target.ts'
import { addPageRequest } from '../page-request.ts'
import { readInput } from '../request.ts'
import { startJob } from '../start-job.ts'
import { UsageError } from '../usage-error.ts'
import { watchPages } from '../watch-pages.ts'

export const run: Run = async (context) => {
  getPagesTarget(context)
  addPageRequest(context)
  const urls = await readUrls(context)
  const job = await startJob(context, 'batch_scrape', (start) =>
    context.winnow.startBatch(urls, context.body, start),
  )
  for (const url of job.started?.invalidURLs ?? [])
    context.terminal.warn(`winnow: left out, no valid address: ${url}`)
  return watchPages(context, job)
}

async function readUrls(context: Context): Promise<string[]> {
  const file = context.values.texts.get('file')
  const argumentUrls = argumentsAt(context, 0)
  const urls = argumentUrls.filter((url) => url !== '-')
  if (argumentUrls.includes('-')) urls.push(...parseUrlLines(await readInput('-', 'standard input')))
  if (file !== undefined) urls.push(...parseUrlLines(await readInput(file, '--file')))
  if (urls.length === 0)
    throw new UsageError(
      'There are no addresses. Write them behind the command, or use --file urls.txt, or - for standard input.',
    )
  return urls
}

/** Returns one URL per line, without empty lines and comments. */
function parseUrlLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
