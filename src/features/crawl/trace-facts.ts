import { listHelperJobs } from '../../store/child-jobs.ts'
import { findCrawl } from '../../store/frontier.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { crawlStartKind } from './job-inputs.ts'
import { storedNotes } from './notes.ts'
import { shownOptions, storedOptions } from './options.ts'
import { tallyCrawl } from './tally.ts'

/** What the trace of a crawl says beside that of any job; undefined for a job that is none. */
export async function crawlFacts(store: Store, row: JobRow) {
  const crawl = row.kind === 'crawl' ? await findCrawl(store.query, row.id) : undefined
  if (!crawl) return undefined
  const { failed, skipped } = await tallyCrawl({ store }, crawl, { hasEnded: row.finished_at !== null })
  return { failed, skipped, notes: storedNotes.read(crawl.notes), starts: await startsOf(store, row.id) }
}

/** The jobs that asked the site for its rules and its sitemaps, as they were traced. */
async function startsOf(store: Store, crawlId: string): Promise<string[]> {
  const helpers = await listHelperJobs(store.query, crawlId)
  return helpers.filter(({ kind }) => kind === crawlStartKind).flatMap(({ trace }) => trace ?? [])
}

/** What a crawl was asked for, without secrets of the caller; undefined for a job that is none. */
export async function crawlRequestOf(store: Store, id: string): Promise<Record<string, unknown> | undefined> {
  const crawl = await findCrawl(store.query, id)
  return crawl && { ...shownOptions(storedOptions.read(crawl.options)) }
}
