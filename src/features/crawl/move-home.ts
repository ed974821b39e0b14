import type { Clock } from '../../base/clock.ts'
import { childOf } from '../../jobs/job.ts'
import { changeCrawl, dropSkipped, findCrawl } from '../../store/frontier.ts'
import { insertJobs } from '../../store/jobs.ts'
import { lockParent } from '../../store/locks.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import type { SkipReason } from '../discover/scope.ts'

import { crawlStartKind, startInput } from './job-inputs.ts'
import { storedOptions } from './options.ts'

/** Addresses that were left out for these reasons may belong to the crawl where it is at home now. */
const byPlace: SkipReason[] = [
  'other site',
  'other subdomain',
  'outside the start path',
  'home page of another site',
]

/**
 * Says that a crawl is at home elsewhere, because its start leads there: what was left out for its place is forgotten, and
 * robots.txt and sitemaps of the new home are looked at by a start job of their own. A start that is read again changes
 * nothing more.
 */
export async function moveHome(
  { store, clock }: { store: Store; clock: Clock },
  crawlId: string,
  home: URL,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const parent = await lockParent(store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (!row || parent?.state !== 'running') return
    const options = storedOptions.read(row.options)
    if (options.home !== undefined) return
    const dropped = await dropSkipped(transaction, crawlId, byPlace)
    const moved = storedOptions.write({ ...options, home: home.href })
    await changeCrawl(transaction, crawlId, { options: moved, known: row.known - dropped })
    const input = startInput.write({ home: home.href })
    await insertJobs(transaction, [{ ...childOf(parent, clock.now()), kind: crawlStartKind, input }])
  })
  store.notify('queued', '')
}

/** Where a crawl has moved to, as the store knows it. */
export async function findHome(query: Queryable, crawlId: string): Promise<string | undefined> {
  const row = await findCrawl(query, crawlId)
  return row && storedOptions.read(row.options).home
}
