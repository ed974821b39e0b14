import { NotFoundError } from '../../errors.ts'
import { argument, type Context, type Run } from '../command.ts'
import { watchExtract } from '../watch-extract.ts'
import { watchPages } from '../watch-pages.ts'

/** Watches a job. An id does not indicate the job type, so crawls, batches and extracts are checked in order. */
export const run: Run = async (context) => {
  const id = argument(context, 0)
  const { winnow, signal } = context
  for (const job of [winnow.crawlJob(id), winnow.batchJob(id)])
    if (await exists(() => job.progress({ signal }))) return watchPages(context, job)
  const extract = winnow.extractJob(id)
  if (await exists(() => extract.status({ signal }))) return watchExtract(context, extract)
  return reportMissing(context, id)
}

async function exists(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (thrown) {
    if (thrown instanceof NotFoundError) return false
    throw thrown
  }
}

function reportMissing({ terminal, urlOption }: Context, id: string) {
  terminal.warn(`winnow: There is no crawl, batch or extract ${id} of this team, or it is over a day old.`)
  terminal.warn(`winnow: winnow activity${urlOption} lists the ids that there are.`)
  return 1 as const
}
