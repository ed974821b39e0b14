import { AppError } from '../base/errors.ts'
import type { FairPlace } from '../base/fair-places.ts'
import type { JobRow } from '../store/jobs.ts'
import { requeueJobs } from '../store/leases.ts'
import type { AnyJobKind } from './job.ts'
import type { Load } from './load.ts'
import { type RunNeeds, runJob } from './run-job.ts'

export interface ActiveJobs {
  count(): number
  /** Runs a job that was claimed for this process; its place is left when it has ended. */
  start(row: JobRow, place: FairPlace | undefined): void
  /** Resolves when all that run now have ended. */
  ended(): Promise<unknown>
}

interface ActiveOptions {
  kinds: AnyJobKind[]
  load: Pick<Load, 'giveWay'> | undefined
  /** A job has ended, and its place is free. */
  onEnd(): void
}

/** The background jobs that this process runs. */
export function activeJobs(needs: RunNeeds, { kinds, load, onEnd }: ActiveOptions): ActiveJobs {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()

  async function run(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.giveWay()
    const input = JSON.parse(row.input)
    const kind = byName.get(row.kind) ?? unknownKind(row.kind)
    await runJob(needs, kind, { row, input, waitedMs: undefined, spentMs: 0, signal })
  }

  return {
    count: () => active.size,
    start(row, place) {
      const signal = needs.holder.hold(row.id)
      const running = run(row, signal)
        .catch((cause) => giveBack(needs, row, cause))
        .finally(() => {
          active.delete(running)
          place?.leave()
          onEnd()
        })
      active.add(running)
    },
    ended: () => Promise.all(active),
  }
}

async function giveBack({ store, holder, log }: RunNeeds, row: JobRow, cause: unknown): Promise<void> {
  holder.release(row.id)
  log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
  // Where the store does not take that either, the lease runs out, and the job is started again.
  await requeueJobs(store, { holder: holder.id, id: row.id }).catch(() => undefined)
}

function unknownKind(kind: string): AnyJobKind {
  const run = () => Promise.reject(new AppError('INTERNAL', {}, { message: `No such kind of job: ${kind}` }))
  return { kind, takesSlot: true, onRecord: () => ({}), run }
}
