import type { Clock } from './base/clock.ts'
import { crawlFamily } from './features/crawl/family.ts'
import type { EndedChild, Families } from './jobs/family.ts'
import { findParents, releaseHeld } from './store/families.ts'
import type { Store } from './store/schema.ts'
import { tellEnd, tellPages } from './webhooks/outbox.ts'

/** What crawls and batches do when one of their pages ends, and when they end themselves. */
export function createFamilies({ store, clock }: { store: Store; clock: Clock }): Families {
  const crawls = crawlFamily(store)
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
