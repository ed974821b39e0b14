import { AppError } from '../base/errors.ts'
import type { JobRow } from '../store/jobs.ts'
import { requeueJobs } from '../store/leases.ts'
import type { AnyBackgroundKind } from './job.ts'
import type { Load } from './load.ts'
import { attempt, endRun, type RunNeeds, runJob } from './run-job.ts'

export interface ActiveJobs {
  count(): number
  /** Number of jobs that were started since the process began. */
  started(): number
  /** Runs a job that was claimed for this process. */
  run(row: JobRow): Promise<void>
  /** Resolves when all that run now have ended. */
  ended(): Promise<unknown>
}

interface ActiveOptions {
  kinds: AnyBackgroundKind[]
  load: Pick<Load, 'giveWay' | 'jobBegan'> | undefined
  /** Called after the end of a job. */
  onEnd(): void
}

/** The background jobs that this process runs. */
export function activeJobs(needs: RunNeeds, { kinds, load, onEnd }: ActiveOptions): ActiveJobs {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  let started = 0

  async function runToEnd(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.giveWay()
    const read = await attempt(needs, row, signal, async () => fromRecord(byName, row))
    // What cannot be read cannot be run, however often it is tried; nor is it known what of it may stay.
    if ('error' in read) return endRun(needs, { ...row, input: '{}' }, read)
    await runJob(needs, read.kind, { row, input: read.input, waitedMs: undefined, spentMs: 0, signal })
  }

  return {
    count: () => active.size,
    started: () => started,
    run(row) {
      started += 1
      const signal = needs.holder.hold(row.id)
      const end = needs.activity?.begin(`job ${row.id} ${row.kind}`)
      const running = runToEnd(row, signal)
        .catch((cause) => giveBack(needs, row, cause))
        .finally(() => {
          active.delete(running)
          end?.()
          onEnd()
        })
      active.add(running)
      load?.jobBegan()
      return running
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

function fromRecord(kinds: Map<string, AnyBackgroundKind>, row: JobRow) {
  const kind = kinds.get(row.kind)
  if (!kind) throw new AppError('INTERNAL', {}, { message: `No such kind of job: ${row.kind}` })
  return { kind, input: kind.input.read(row.input) }
}
