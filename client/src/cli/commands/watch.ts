import { NotFoundError } from '../../errors.ts'
import { argument, type Context, type Run } from '../command.ts'
import { watchExtract } from '../watch-extract.ts'
import { watchPages } from '../watch-pages.ts'

/** An id does not say what it is of: it is looked for among crawls, batches and extracts. */
export const run: Run = async (context) => {
  const id = argument(context, 0)
  const { winnow, signal } = context
  for (const job of [winnow.crawlJob(id), winnow.batchJob(id)])
    if (await exists(() => job.progress({ signal }))) return watchPages(context, job)
  const extract = winnow.extractJob(id)
  if (await exists(() => extract.status({ signal }))) return watchExtract(context, extract)
  return refuse(context, id)
}

async function exists(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look()
    return true
  } catch (thrown) {
    if (thrown instanceof NotFoundError) return false
    throw thrown
  }
}

function refuse({ terminal, repeat }: Context, id: string) {
  terminal.warn(`winnow: There is no crawl, batch or extract ${id} of this team, or it is over a day old.`)
  terminal.warn(`winnow: winnow activity${repeat} lists the ids that there are.`)
  return 1 as const
}
