import type { Team } from '../accounts/team.ts'
import { crawlStatus } from '../features/crawl/crawl.ts'
import { familyStatus, type PageOfDocuments } from '../features/family.ts'
import { type FamilyEvent, watchFamily } from '../features/watch.ts'
import type { JobRow } from '../store/jobs.ts'
import { type CrawlBound, crawlNeeds } from './crawl.ts'

export type FamilyKind = 'crawl' | 'batch_scrape'

/** The use cases that crawls and batches have in common. */
export function familyUseCases(bound: CrawlBound) {
  const { queue } = bound
  const crawl = crawlNeeds(bound)
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(crawl, row, page) : familyStatus(bound, row, page)
  return {
    /** Progress and documents of a crawl or a batch. */
    async familyStatus(team: Team, job: { id: string; kind: FamilyKind }, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
    /** The messages for a watcher of a crawl or a batch, until it ends. */
    async watchFamily(
      team: Team,
      job: { id: string; kind: FamilyKind },
      signal: AbortSignal,
    ): Promise<AsyncGenerator<FamilyEvent>> {
      const { id } = await queue.find(team, job.id, job.kind)
      const status = async (limit: number) =>
        statusOf(await queue.find(team, id, job.kind), { skip: 0, limit })
      return watchFamily({ ...bound, status }, id, signal)
    },
    async cancelFamily(team: Team, job: { id: string; kind: FamilyKind }) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },
  }
}
