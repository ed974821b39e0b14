import {
  activeStates,
  countByKind,
  countTakenSlots,
  listBusiestTeams,
} from '../../store/jobs/queue-counts.ts'
import type { Deps } from '../needs.ts'

export interface Condition {
  uptimeSeconds(): number
  /** Returns `ok` for each component that works, otherwise the reason why it does not. */
  ready(): Promise<{
    parts: Record<string, string>
    ages: Record<string, number>
    warnings: Record<string, string>
  }>
  storage(): Promise<{ database: number | null; blobs: number | null; free: number | null }>
}

interface OverviewDeps extends Pick<Deps, 'store' | 'clock' | 'version' | 'teamConcurrency'> {
  condition: Condition
}

const maxTeams = 20

export async function readOverview(deps: OverviewDeps) {
  const { query } = deps.store
  const now = deps.clock.now()
  const [queued = {}, running = {}, held = {}] = await Promise.all(
    activeStates.map(async (state) => {
      const rows = await countByKind(query, state)
      return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
    }),
  )
  const [slotsTaken, teams, health, storage] = await Promise.all([
    countTakenSlots(query, now),
    listBusiestTeams(query, { now, limit: maxTeams }),
    deps.condition.ready(),
    deps.condition.storage(),
  ])
  return {
    version: deps.version,
    uptimeSeconds: deps.condition.uptimeSeconds(),
    queue: { queued, running, held },
    slotsTaken,
    storage: { databaseBytes: storage.database, blobBytes: storage.blobs, freeBytes: storage.free },
    health: { isReady: Object.values(health.parts).every((state) => state === 'ok'), ...health },
    teams: teams.map(({ id, name, concurrency, running: jobs }) => ({
      ...{ id, name, running: jobs, concurrency: concurrency ?? deps.teamConcurrency },
    })),
  }
}
