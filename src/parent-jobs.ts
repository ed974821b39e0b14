import type { Clock } from './base/clock.ts'
import { crawlHooks } from './features/crawl/parent-job.ts'
import type { EndedChild, ParentHooks } from './jobs/parent-job.ts'
import { findParents, releaseHeld } from './store/parent-jobs.ts'
import type { Store } from './store/schema.ts'
import { tellEnd, tellPages } from './webhooks/outbox.ts'

/** What crawls and batches do when one of their pages ends, and when they end themselves. */
export function createParentHooks({ store, clock }: { store: Store; clock: Clock }): ParentHooks {
  const crawls = crawlHooks(store)
  return {
    async childrenEnded(transaction, ended) {
      await tellPages(transaction, ended)
      const byParent = Map.groupBy(ended, ({ row }) => row.parent_id ?? '')
      for (const parent of await findParents(transaction, [...byParent.keys()])) {
        const children: EndedChild[] = byParent.get(parent.id) ?? []
        if (parent.kind === 'crawl') await crawls.childrenEnded(transaction, parent, children)
        else {
          const release = { parentId: parent.id, most: children.length, now: clock.now() }
          await releaseHeld(store, transaction, release)
        }
      }
    },
    async lastEnded(transaction, parent) {
      if (parent.kind === 'crawl') return crawls.lastEnded(transaction, parent, clock.now())
      return { state: 'completed' }
    },
    async parentEnded(transaction, parent, end) {
      if (parent.kind === 'crawl') await crawls.ended(transaction, parent, end)
      await tellEnd(transaction, parent, { ...end, now: clock.now() })
    },
  }
}
