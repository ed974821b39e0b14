import { agentHooks } from '../features/agent/agent.ts'
import { crawlHooks } from '../features/crawl/crawl.ts'
import { extractHooks } from '../features/extract/extract.ts'
import { enqueueEndEvent, enqueuePageEvents } from '../features/webhooks/outbox.ts'
import type { EndedChild, ParentEnd, ParentHooks } from '../jobs/finish-parent.ts'
import type { Clock } from '../platform/clock.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import { findParents, releaseHeld } from '../store/jobs/parents.ts'
import type { Queryable, Store } from '../store/schema.ts'

interface KindHooks {
  childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void>
  lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined>
  ended?(transaction: Queryable, parent: JobRow, end: ParentEnd): Promise<void>
  /** True if children of this kind are never in the state `held`: its pages wait in the frontier. */
  hasNoHeldChildren?: true
}

export function createParentHooks({ store, clock }: { store: Store; clock: Clock }): ParentHooks {
  const hooksByKind: Record<string, KindHooks> = {
    crawl: { ...crawlHooks(store), hasNoHeldChildren: true },
    extract: extractHooks(store),
    agent: agentHooks(store),
  }
  return {
    async childrenEnded(transaction, ended) {
      await enqueuePageEvents(transaction, ended)
      const byParent = Map.groupBy(ended, ({ row }) => row.parent_id ?? '')
      for (const parent of await findParents(transaction, [...byParent.keys()])) {
        const children: EndedChild[] = byParent.get(parent.id) ?? []
        const hooks = hooksByKind[parent.kind]
        await hooks?.childrenEnded(transaction, parent, children)
        if (hooks?.hasNoHeldChildren) continue
        const params = { parentId: parent.id, limit: children.length, now: clock.now() }
        await releaseHeld(store, transaction, params)
      }
    },
    async lastEnded(transaction, parent) {
      const hooks = hooksByKind[parent.kind]
      return hooks ? hooks.lastEnded(transaction, parent, clock.now()) : { state: 'completed' }
    },
    async parentEnded(transaction, parent, end) {
      await hooksByKind[parent.kind]?.ended?.(transaction, parent, end)
      await enqueueEndEvent(transaction, parent, { ...end, now: clock.now() })
    },
  }
}
