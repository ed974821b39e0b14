import { AppError } from '../base/errors.ts'
import { type FairPlace, fairPlaces } from '../base/fair-places.ts'
import type { JobRow } from '../store/jobs.ts'
import { claimErrands, claimForTeam, requeueJobs, teamsWaiting, teamsWithErrands } from '../store/leases.ts'
import { costOfCrash, type JobKind } from './job.ts'
import type { Load } from './load.ts'
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
  stop(withinMs: number, how?: { isCrash: boolean }): Promise<void>
}

export interface RunnerOptions {
  kinds: AnyJobKind[]
  /** Jobs at the same time, whatever the load allows. */
  capacity: number
  concurrency: number
  /** Undefined: as many as the capacity says. */
  load?: Load
}

/** For teams that have nothing running here: whoever has filled the rest cannot make them wait. */
const spareRoom = 8
/** Jobs claimed together; more would hold the locks of one transaction for too long. */
const mostAtOnce = 64

/** Claims background jobs and runs them, fairly between teams, as many at once as this process can carry. */
export function startRunner(needs: RunNeeds, options: RunnerOptions): Runner {
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  const { capacity, load } = options
  const places = fairPlaces({ places: load ? load.allowed : capacity, spare: spareRoom })
  let isStopping = false
  let isClaiming = false
  let again = false
  let waitsForSlots = false
  let mayHaveLost = false

  /** Claims until nothing is left to claim or no room is. A call during another makes that one look once more. */
  async function claimAll(): Promise<void> {
    again = true
    if (isClaiming) return
    isClaiming = true
    try {
      while (again && !isStopping) {
        again = false
        await takeBackLost()
        await claimFor(await teamsWithErrands(needs.store.query), claimErrands)
        const teams = await teamsWaiting(needs.store.query)
        waitsForSlots = teams.length > 0
        await claimFor(teams, claimForTeam)
      }
    } finally {
      isClaiming = false
    }
  }

  /** A store that was away may have given us jobs without being able to say so: nobody runs them. */
  async function takeBackLost(): Promise<void> {
    if (!mayHaveLost) return
    await requeueJobs(needs.store, { holder: needs.holder.id, except: needs.holder.ids() })
    mayHaveLost = false
  }

  /** Takes room in the name of the teams that wait, the one with the fewest jobs first, and claims as much for each. */
  async function claimFor(teams: string[], claim: typeof claimForTeam): Promise<void> {
    let waiting = teams
    for (let room = roomFor(waiting); room.size > 0; room = roomFor(waiting)) {
      for (const [teamId, taken] of room) {
        const isServed = await claimInto(taken, teamId, claim)
        // It leaves room that another may use.
        if (!isServed) waiting = waiting.filter((team) => team !== teamId)
      }
    }
  }

  /** False: the team has nothing more that may run now. */
  async function claimInto(room: FairPlace[], teamId: string, claim: typeof claimForTeam): Promise<boolean> {
    try {
      if (isStopping) return false
      const lease = needs.holder.lease()
      const order = { teamId, most: room.length, concurrency: options.concurrency, lease }
      for (const row of await claim(needs.store, order)) start(row, room.pop())
      return room.length === 0
    } finally {
      for (const place of room) place.leave()
    }
  }

  function roomFor(teams: string[]): Map<string, FairPlace[]> {
    const room = new Map<string, FairPlace[]>()
    const waiting = new Set(teams)
    while (waiting.size > 0) {
      let next: string | undefined
      for (const team of waiting)
        if (next === undefined || places.takenBy(team) < places.takenBy(next)) next = team
      const place = next === undefined ? undefined : places.tryEnter({ team: next, isBackground: true })
      // The others hold as many or more: where there is none for this one, there is none for them.
      if (next === undefined || !place) break
      room.set(next, [...(room.get(next) ?? []), place])
      if ((room.get(next)?.length ?? 0) >= mostAtOnce) waiting.delete(next)
    }
    return room
  }

  function start(row: JobRow, place: FairPlace | undefined): void {
    const signal = needs.holder.hold(row.id)
    const run = runClaimed(row, signal)
      .catch(async (cause) => {
        needs.holder.release(row.id)
        needs.log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
        // Where the store does not take that either, the lease runs out, and the job is started again.
        await requeueJobs(needs.store, { holder: needs.holder.id, id: row.id }).catch(() => undefined)
      })
      .finally(() => {
        active.delete(run)
        place?.leave()
        lookIfWaiting()
      })
    active.add(run)
  }

  async function runClaimed(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.giveWay()
    const input = JSON.parse(row.input)
    await runJob(needs, kindOf(row), { row, input, waitedMs: undefined, spentMs: 0, signal })
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
      claimAll().catch((cause) => {
        mayHaveLost = true
        needs.log.warn({ cause }, 'jobs could not be claimed; trying again')
      })
    })
  }
  // Every synchronous call frees a slot when it ends: without a queue there is nothing to look for.
  const lookIfWaiting = () => waitsForSlots && look()
  load?.watch({ active: () => active.size, onRoom: () => void lookIfWaiting() })
  const unlisten = [needs.store.listen('queued', look), needs.store.listen('slot', lookIfWaiting)]
  // Wake-ups can be lost in a crash; a look each second bounds what that costs.
  const timer = setInterval(look, 1000)
  look()

  return {
    look,
    active: () => active.size,
    check: claimAll,
    async stop(withinMs, { isCrash } = { isCrash: false }) {
      isStopping = true
      clearInterval(timer)
      for (const stop of unlisten) stop()
      const patience = new Promise((resolve) => setTimeout(resolve, withinMs).unref())
      await Promise.race([Promise.all(active), patience])
      // A store that hangs does not hold up the end: the leases run out by themselves.
      const tooLong = new Promise((resolve) => setTimeout(resolve, 2000).unref())
      const given = { holder: needs.holder.id, ...(isCrash ? { cost: costOfCrash - 1 } : {}) }
      await Promise.race([requeueJobs(needs.store, given), tooLong])
      needs.store.notify('queued', '')
    },
  }
}
