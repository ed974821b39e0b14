import { AppError } from '../../base/errors.ts'
import type { FetchOutcome } from '../fetch-outcome.ts'

/** What was thrown while a page was open, as an outcome of the fetch. The end of the time is not a matter of the engine. */
export function asOutcome(thrown: unknown, signal: AbortSignal): FetchOutcome {
  if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT') return { kind: 'failed', error: thrown }
  if (thrown instanceof AppError || signal.aborted || !isOfPage(thrown)) throw thrown
  const cause = thrown.message.split('\n')[0] ?? ''
  const error = new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause }, { message, cause: thrown })
  return { kind: 'failed', error }
}

const message = 'The page could not be read: it closed or replaced itself, or could not be rendered.'

/** What the driver says of pages that go away or do not answer: theirs to answer for, and no fault of ours. */
function isOfPage(thrown: unknown): thrown is Error {
  const words =
    /has been closed|context was destroyed|Cannot find context|Frame was detached|Not attached to an active page|Inspected target navigated|Protocol error|Unable to capture screenshot|Timeout \d+ms exceeded/
  return thrown instanceof Error && words.test(thrown.message)
}
