export interface PermitOwner {
  /** Permits are shared fairly between teams. Without teams, any key can be used, such as an IP address. */
  team: string
  /** True if no caller waits for the result. Such work starts after all work that a caller waits for. */
  isBackground?: boolean
}

export interface PermitLimits {
  count: number | (() => number)
  /** Additional permits for teams that hold none, so that a team with all shared permits cannot make them wait. */
  spare?: number
  perTeam?: number
  lent?: number
}

export interface Permit {
  /** Lends the permit until the promise settles. Keeps it if too many are lent already. */
  lendDuring<Result>(pending: Promise<Result>): Promise<Result>
  regain(): Promise<void>
}

export interface PermitBatch {
  size(): number
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** The team that holds the fewest gets the next permit; among equals, the one served longest ago. */
export class Permits {
  readonly #maxLent: number
  readonly #holders: Holders
  readonly #queues: ReturnType<typeof queueByTeam>
  #lent = 0

  constructor(limits: PermitLimits) {
    this.#maxLent = limits.lent ?? 0
    this.#holders = countHolders(limits)
    this.#queues = queueByTeam(this.#holders)
  }

  async run<Result>(
    owner: PermitOwner,
    signal: AbortSignal | undefined,
    work: (permit: Permit) => Promise<Result>,
  ): Promise<Result> {
    await this.#wait(owner, signal)
    return this.#runWithPermit(owner, signal, work)
  }

  tryRun<Result>(owner: PermitOwner, work: () => Promise<Result>): Promise<Result> | undefined {
    if (!this.isFreeFor(owner.team)) return undefined
    this.#holders.add(owner.team)
    return this.#runWithPermit(owner, undefined, work)
  }

  /** Takes all free permits, each for the team that holds the fewest. Unused ones are released at the end. */
  async runWithFree<Result>(
    request: { teams: Iterable<string>; maxPerTeam: number },
    work: (batches: ReadonlyMap<string, PermitBatch>) => Promise<Result>,
  ): Promise<Result> {
    const batches = new Map<string, Batch>()
    const openTeams = new Set(request.teams)
    try {
      for (;;) {
        const team = this.#teamWithFewest(openTeams)
        // The other teams hold as many or more, so there is no permit for them either.
        if (team === undefined || !this.isFreeFor(team)) break
        const batch = batches.get(team) ?? this.#createBatch(team)
        batches.set(team, batch)
        batch.add()
        if (batch.size() >= request.maxPerTeam) openTeams.delete(team)
      }
      return await work(batches)
    } finally {
      for (const batch of batches.values()) batch.end()
    }
  }

  isFreeFor(team: string): boolean {
    return this.#queues.waiting() === 0 && this.#holders.mayAdd(team)
  }

  held(): number {
    return this.#holders.all()
  }

  heldBy(team: string): number {
    return this.#holders.of(team)
  }

  waiting(): number {
    return this.#queues.waiting()
  }

  #wait(owner: PermitOwner, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (signal?.aborted) return Promise.reject(signal.reason)
    const onAbort = () => {
      this.#queues.remove(entry)
      reject(signal?.reason)
    }
    const entry: QueueEntry = {
      owner,
      start() {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#queues.add(entry)
    this.#startNext()
    return promise
  }

  #startNext(): void {
    for (let next = this.#queues.next(); next; next = this.#queues.next()) {
      this.#holders.add(next.owner.team)
      next.start()
    }
  }

  #release(team: string): void {
    this.#holders.remove(team)
    this.#startNext()
  }

  /** Runs work whose permit is already counted, and releases the permit afterwards. No other method releases it. */
  async #runWithPermit<Result>(
    owner: PermitOwner,
    signal: AbortSignal | undefined,
    work: (permit: Permit) => Promise<Result>,
  ): Promise<Result> {
    const permit = this.#createPermit(owner, signal)
    try {
      signal?.throwIfAborted()
      return await work(permit)
    } finally {
      permit.end()
    }
  }

  #createPermit(owner: PermitOwner, signal: AbortSignal | undefined): Permit & { end(): void } {
    let state: 'held' | 'lent' | 'ended' = 'held'
    const regain = async () => {
      if (state !== 'lent') return
      await this.#wait(owner, signal)
      // The work may have ended meanwhile, or another call may have regained the permit.
      if (state !== 'lent') return this.#release(owner.team)
      this.#lent -= 1
      state = 'held'
    }
    return {
      regain,
      lendDuring: async (pending) => {
        if (state === 'held' && this.#lent < this.#maxLent) {
          this.#lent += 1
          state = 'lent'
          this.#release(owner.team)
        }
        try {
          return await pending
        } finally {
          await regain()
        }
      },
      end: () => {
        const lastState = state
        state = 'ended'
        if (lastState === 'lent') this.#lent -= 1
        else this.#release(owner.team)
      },
    }
  }

  #createBatch(team: string): Batch {
    let unused = 0
    return {
      size: () => unused,
      add: () => {
        this.#holders.add(team)
        unused += 1
      },
      run: async (work) => {
        if (unused === 0) throw new RangeError('No permit is left in this batch.')
        unused -= 1
        return this.#runWithPermit({ team }, undefined, work)
      },
      end: () => {
        for (; unused > 0; unused -= 1) this.#release(team)
      },
    }
  }

  #teamWithFewest(teams: Iterable<string>): string | undefined {
    let best: string | undefined
    for (const team of teams) if (best === undefined || this.heldBy(team) < this.heldBy(best)) best = team
    return best
  }
}

export function limitConcurrency(
  count: number,
): <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result> {
  const permits = new Permits({ count })
  return (work, signal) => permits.run({ team: '' }, signal, work)
}

type Holders = ReturnType<typeof countHolders>

function countHolders({ count, spare = 0, perTeam = Number.POSITIVE_INFINITY }: PermitLimits) {
  const counts = new Map<string, number>()
  // If the number of permits drops, only the size of this set determines how many spare permits are left.
  const spareHolders = new Set<string>()
  let total = 0
  const countNow = () => (typeof count === 'number' ? count : count())
  const of = (team: string) => counts.get(team) ?? 0
  return {
    all: () => total,
    of,
    mayAdd(team: string): boolean {
      if (of(team) >= perTeam) return false
      const shared = countNow()
      return total < shared || (of(team) === 0 && (total < shared + spare || spareHolders.size < spare))
    },
    add(team: string): void {
      if (total >= countNow()) spareHolders.add(team)
      total += 1
      counts.set(team, of(team) + 1)
    },
    remove(team: string): void {
      total -= 1
      const remaining = of(team) - 1
      if (remaining > 0) counts.set(team, remaining)
      else {
        counts.delete(team)
        spareHolders.delete(team)
      }
      if (total < countNow()) spareHolders.clear()
    },
  }
}

interface Batch extends PermitBatch {
  add(): void
  end(): void
}

interface QueueEntry {
  owner: PermitOwner
  start(): void
}

/** Queues waiting work by team. The order of the teams is the order in which they were served. */
function queueByTeam(holders: Pick<Holders, 'of' | 'mayAdd'>) {
  const teams = new Map<string, { foreground: Set<QueueEntry>; background: Set<QueueEntry> }>()
  let count = 0

  function remove(waiting: QueueEntry): void {
    const queue = teams.get(waiting.owner.team)
    if (!queue?.foreground.delete(waiting) && !queue?.background.delete(waiting)) return
    count -= 1
    if (queue.foreground.size + queue.background.size === 0) teams.delete(waiting.owner.team)
  }

  function first(): QueueEntry | undefined {
    let best: QueueEntry | undefined
    for (const [team, { foreground, background }] of teams) {
      const [head] = foreground.size > 0 ? foreground : background
      if (head && holders.mayAdd(team) && (!best || isBefore(head.owner, best.owner))) best = head
    }
    return best
  }

  function isBefore(left: PermitOwner, right: PermitOwner): boolean {
    const [fewer, more] = [holders.of(left.team), holders.of(right.team)]
    return fewer === more ? !left.isBackground && right.isBackground === true : fewer < more
  }

  return {
    waiting: () => count,
    add(waiting: QueueEntry): void {
      const { team, isBackground } = waiting.owner
      const queue = teams.get(team) ?? { foreground: new Set(), background: new Set() }
      teams.set(team, queue)
      queue[isBackground ? 'background' : 'foreground'].add(waiting)
      count += 1
    },
    remove,
    next(): QueueEntry | undefined {
      const next = first()
      if (!next) return undefined
      const { team } = next.owner
      const queue = teams.get(team)
      remove(next)
      // A team that was served comes after all other teams that hold as many permits.
      if (queue && teams.delete(team)) teams.set(team, queue)
      return next
    },
  }
}
