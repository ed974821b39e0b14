import { AppError } from '../base/errors.ts'
import type { JobRow } from '../store/jobs.ts'
import { claimForTeam, claimSlotless, hasErrands, requeueJobs, teamsWaiting } from '../store/leases.ts'
import type { JobKind } from './job.ts'
import { type RunNeeds, runJob } from './run-job.ts'

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own input; the row's kind picks the right one
export type AnyJobKind = JobKind<any, unknown>

export interface Runner {
  /** Looks for work now instead of at the next wake-up. */
  look(): void
  active(): number
  /** Claims once and fails as claiming fails: what readiness asks. */
  check(): Promise<void>
  /** Claims nothing more, waits for what runs, gives the rest back. */
  stop(withinMs: number): Promise<void>
}

/** Claims background jobs and runs them, fairly between teams, as many at once as this process can carry. */
export function startRunner(
  needs: RunNeeds,
  options: { kinds: AnyJobKind[]; capacity: number; concurrency: number },
): Runner {
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  let isStopping = false
  let isClaiming = false
  let again = false
  let lastTeam = ''
  let waitsForSlots = false

  /** Claims until nothing is left to claim or no room is. A call during another makes that one look once more. */
  async function claimAll(): Promise<void> {
    again = true
    if (isClaiming) return
    isClaiming = true
    try {
      while (again) {
        again = false
        const room = options.capacity - active.size
        if (isStopping || room <= 0) break
        const errands = await claimErrands(room)
        const leaves = await claimLeaves(room - errands.length)
        for (const row of [...errands, ...leaves]) start(row)
      }
    } finally {
      isClaiming = false
    }
  }

  async function claimErrands(room: number): Promise<JobRow[]> {
    if (!(await hasErrands(needs.store.query))) return []
    return claimSlotless(needs.store, room, needs.holder.lease())
  }

  /** One round over the teams that wait, starting after the one served last, each getting its part of the room. */
  async function claimLeaves(room: number): Promise<JobRow[]> {
    const teams = await teamsWaiting(needs.store.query)
    waitsForSlots = teams.length > 0
    const turn = teams.findIndex((team) => team > lastTeam)
    const inTurn = turn < 0 ? teams : [...teams.slice(turn), ...teams.slice(0, turn)]
    const claimed: JobRow[] = []
    const part = Math.max(1, Math.ceil(room / Math.max(1, teams.length)))
    for (const teamId of inTurn) {
      const most = Math.min(part, room - claimed.length)
      if (most <= 0) break
      lastTeam = teamId
      const lease = needs.holder.lease()
      claimed.push(
        ...(await claimForTeam(needs.store, { teamId, most, concurrency: options.concurrency, lease })),
      )
    }
    return claimed
  }

  function start(row: JobRow): void {
    const signal = needs.holder.hold(row.id)
    const input = JSON.parse(row.input)
    const run = runJob(needs, kindOf(row), { row, input, waitedMs: undefined, spentMs: 0, signal })
      .then(() => undefined)
      .catch(async (cause) => {
        needs.holder.release(row.id)
        needs.log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
        // Where the store does not take that either, the lease runs out, and the job is started again.
        await requeueJobs(needs.store, { holder: needs.holder.id, id: row.id }).catch(() => undefined)
      })
      .finally(() => {
        active.delete(run)
        lookIfWaiting()
      })
    active.add(run)
  }

  function kindOf(row: JobRow): AnyJobKind {
    const kind = kinds.get(row.kind)
    if (kind) return kind
    const run = () =>
      Promise.reject(new AppError('INTERNAL', {}, { message: `No such kind of job: ${row.kind}` }))
    return { kind: row.kind, takesSlot: true, onRecord: () => ({}), run }
  }

  let isComing = false
  /** Several wake-ups in one turn, as the end of a page makes them, are answered with one look. */
  const look = () => {
    if (isComing) return
    isComing = true
    setImmediate(() => {
      isComing = false
      claimAll().catch((cause) => needs.log.warn({ cause }, 'jobs could not be claimed; trying again'))
    })
  }
  // Every synchronous call frees a slot when it ends: without a queue there is nothing to look for.
  const lookIfWaiting = () => waitsForSlots && look()
  const unlisten = [needs.store.listen('queued', look), needs.store.listen('slot', lookIfWaiting)]
  // Wake-ups can be lost in a crash; a look each second bounds what that costs.
  const timer = setInterval(look, 1000)
  look()

  return {
    look,
    active: () => active.size,
    check: claimAll,
    async stop(withinMs) {
      isStopping = true
      clearInterval(timer)
      for (const stop of unlisten) stop()
      const patience = new Promise((resolve) => setTimeout(resolve, withinMs).unref())
      await Promise.race([Promise.all(active), patience])
      // A store that hangs does not hold up the end: the leases run out by themselves.
      const tooLong = new Promise((resolve) => setTimeout(resolve, 2000).unref())
      await Promise.race([requeueJobs(needs.store, { holder: needs.holder.id }), tooLong])
      needs.store.notify('queued', '')
    },
  }
}
