import {
  busiestTeams,
  countByKind,
  countTakenSlots,
  type LivingState,
  livingStates,
} from '../../store/jobs/queue-counts.ts'
import type { Needs } from '../needs.ts'

/** How this process and what it depends on are. */
export interface Condition {
  uptimeSeconds(): number
  /** `ok` for a part that works, otherwise the reason. */
  ready(): Promise<{
    parts: Record<string, string>
    ages: Record<string, number>
    warnings: Record<string, string>
  }>
  /** In bytes; null: not known. */
  storage(): Promise<{ database: number | null; blobs: number | null; free: number | null }>
}

export interface OverviewNeeds extends Pick<Needs, 'store' | 'clock' | 'version' | 'teamConcurrency'> {
  condition: Condition
}

const mostTeams = 20

/** What runs and waits on the whole installation, and whether it is well. */
export async function overviewOf(needs: OverviewNeeds) {
  const { query } = needs.store
  const now = needs.clock.now()
  const [queued, running, held] = await Promise.all(livingStates.map((state) => byKind(needs, state)))
  const [slotsTaken, teams, health, storage] = await Promise.all([
    countTakenSlots(query, now),
    busiestTeams(query, { now, limit: mostTeams }),
    needs.condition.ready(),
    needs.condition.storage(),
  ])
  return {
    version: needs.version,
    uptimeSeconds: needs.condition.uptimeSeconds(),
    queue: { queued: queued ?? {}, running: running ?? {}, held: held ?? {} },
    slotsTaken,
    storage: {
      ...{ databaseBytes: storage.database, blobBytes: storage.blobs, freeBytes: storage.free },
    },
    health: { isReady: Object.values(health.parts).every((state) => state === 'ok'), ...health },
    teams: teams.map(({ id, name, concurrency, running: jobs }) => ({
      ...{ id, name, running: Number(jobs), concurrency: concurrency ?? needs.teamConcurrency },
    })),
  }
}

async function byKind({ store }: OverviewNeeds, state: LivingState): Promise<Record<string, number>> {
  const rows = await countByKind(store.query, state)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]))
}
