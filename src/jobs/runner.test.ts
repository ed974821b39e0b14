import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endJobScenes, endsFirst, jobKind, jobScene } from '../../test/jobs.ts'
import { AppError } from '../platform/errors.ts'
import type { JobState } from '../store/jobs/jobs.ts'
import { listChildren } from '../store/jobs/parents.ts'
import { storedJson } from '../store/stored-json.ts'
import type { BackgroundKind } from './job.ts'
import type { Load } from './load-limiter.ts'
import { createQueue } from './queue.ts'
import type { RunDeps } from './run-job.ts'
import { startRunner } from './runner.ts'

afterEach(endJobScenes)

interface Changes {
  load?: Load
  deps?: (deps: RunDeps) => Partial<RunDeps>
  kinds?: BackgroundKind<string, string>[]
}

/** Creates a runner with a small capacity, and jobs that run until the test ends them. */
async function scene(capacity: number, { load, deps = () => ({}), kinds = [] }: Changes = {}) {
  const jobs = await jobScene()
  const { store } = jobs
  const running: { team: string; end(): void }[] = []
  const kind = jobKind({
    async run(job, signal) {
      const ending = new AbortController()
      const entry = { team: job.input, end: () => ending.abort() }
      running.push(entry)
      await once(AbortSignal.any([ending.signal, signal]), 'abort')
      running.splice(running.indexOf(entry), 1)
      return { credits: 0, result: '' }
    },
  })
  const queue = createQueue(jobs.deps)
  const options = { kinds: [kind, ...kinds], capacity, concurrency: 100, ...(load ? { load } : {}) }
  const runner = startRunner({ ...jobs.deps, ...deps(jobs.deps) }, options)
  endsFirst(async () => {
    for (const job of [...running]) job.end()
    await runner.stop(2000)
  })
  return {
    ...{ runner, store },
    running: () => running.map(({ team }) => team).sort(),
    end: (team: string) => running.find((job) => job.team === team)?.end(),
    /** Submits a batch. Returns a function that lists its children in a state. */
    async submit(name: string, count: number, changes: { slots?: number; kind?: typeof kind } = {}) {
      const team = await jobs.team(name, changes.slots === undefined ? {} : { slots: changes.slots })
      const order = jobs.order(team, name)
      const children = { kind: changes.kind ?? kind, requests: Array<typeof order>(count).fill(order) }
      const batch = { kind: 'batch', request: order, children, idempotencyKey: undefined }
      const parent = await queue.submitParent<string>(batch)
      return (state: JobState) =>
        listChildren(store.query, { parentId: parent.id, state, skip: 0, limit: 100 })
    },
  }
}

/** Delays the commit of every transaction until the gate is opened. */
function gatedStore(store: RunDeps['store']) {
  const gate = Promise.withResolvers<void>()
  let entered = 0
  let isClosed = false
  const transaction: typeof store.transaction = (work, options) =>
    store.transaction(async (query) => {
      const result = await work(query)
      entered += isClosed ? 1 : 0
      if (isClosed) await gate.promise
      return result
    }, options)
  const close = () => {
    isClosed = true
  }
  return { store: { ...store, transaction }, close, open: gate.resolve, entered: () => entered }
}

const repeat = (team: string, count: number) => Array<string>(count).fill(team)

describe('startRunner', () => {
  it('waits for a claim in progress on stop, and requeues the claimed jobs', async () => {
    let gated: ReturnType<typeof gatedStore> | undefined
    const { runner, submit, running } = await scene(4, {
      deps: (deps) => {
        gated = gatedStore(deps.store)
        return { store: gated.store }
      },
    })
    gated?.close()
    const list = await submit('a', 2)
    await expect.poll(() => gated?.entered()).toBe(1)
    const stopped = runner.stop(5000).then(() => list('running'))
    setTimeout(() => gated?.open(), 100)
    expect(await stopped).toEqual([])
    expect(await list('queued')).toHaveLength(2)
    expect(running()).toEqual([])
  })

  it('gives the full capacity to one team if no other waits', async () => {
    const { submit, running } = await scene(4)
    await submit('a', 10)
    await expect.poll(running).toEqual(repeat('a', 4))
  })

  it('starts a job of another team even if one team uses the full capacity', async () => {
    const { submit, running } = await scene(4)
    await submit('a', 10)
    await expect.poll(running).toEqual(repeat('a', 4))
    await submit('b', 10)
    await expect.poll(running).toEqual([...repeat('a', 4), 'b'])
  })

  it('gives freed capacity to the team with the fewest running jobs', async () => {
    const { submit, running, end } = await scene(4)
    await submit('a', 20)
    await expect.poll(running).toEqual(repeat('a', 4))
    await submit('b', 20)
    await expect.poll(running).toEqual([...repeat('a', 4), 'b'])
    for (const left of [3, 2]) {
      end('a')
      await expect.poll(() => running().filter((team) => team === 'a')).toEqual(repeat('a', left))
    }
    await expect.poll(running).toEqual(['a', 'a', 'b', 'b'])
  })
})

describe('jobs of the runner', () => {
  it('are limited by the slots of the team', async () => {
    const { submit, running } = await scene(10)
    const children = await submit('a', 10, { slots: 2 })
    await expect.poll(running).toEqual(repeat('a', 2))
    expect(await children('queued')).toHaveLength(8)
  })

  it('are limited by the load, and increase when it allows more', async () => {
    let [allowed, onCapacity] = [1, () => {}]
    const load: Load = {
      allowed: () => allowed,
      beginCall: () => () => {},
      yieldToForeground: async () => {},
      beginJob: () => {},
      watch: (runner) => {
        onCapacity = runner.onCapacity
      },
      stop: () => {},
    }
    const { submit, running } = await scene(10, { load })
    await submit('a', 10)
    await expect.poll(running).toEqual(repeat('a', 1))
    allowed = 3
    onCapacity()
    await expect.poll(running).toEqual(repeat('a', 3))
  })

  it('are stored with their result', async () => {
    const { submit } = await scene(4, { kinds: [jobKind({ kind: 'map' })] })
    const children = await submit('a', 1, { kind: jobKind({ kind: 'map' }) })
    await expect.poll(() => children('completed')).toMatchObject([{ result: '"a"', credits: 1, attempts: 1 }])
  })

  it('need no slot if their kind takes none', async () => {
    let ran = 0
    const run = async () => {
      ran += 1
      return { credits: 0, result: '' }
    }
    const slotless = jobKind({ kind: 'slotless', takesSlot: false, run })
    const { submit, running } = await scene(4, { kinds: [slotless] })
    await submit('a', 1, { slots: 0 })
    await submit('b', 2, { slots: 0, kind: slotless })
    await expect.poll(() => ran).toBe(2)
    expect(running()).toEqual([])
  })

  it('fail if their kind is unknown', async () => {
    const { submit } = await scene(4)
    const children = await submit('a', 1, { kind: jobKind({ kind: 'of-the-future' }) })
    const error = expect.stringContaining('INTERNAL')
    await expect.poll(() => children('failed')).toMatchObject([{ kind: 'of-the-future', error }])
  })

  it('fail immediately if their input cannot be parsed, and name the column', async () => {
    let ran = 0
    const run = async () => {
      ran += 1
      return { credits: 0, result: '' }
    }
    const input = storedJson({ table: 'jobs', column: 'input' }, z.literal('other').transform(String))
    const { submit } = await scene(4, { kinds: [jobKind({ kind: 'map', input, run })] })
    const children = await submit('a', 1, { kind: jobKind({ kind: 'map' }) })
    const error = expect.stringContaining('"detail":{"table":"jobs","column":"input"}')
    await expect.poll(() => children('failed')).toMatchObject([{ error, input: '{}', attempts: 1 }])
    expect(ran).toBe(0)
  })
})

describe('stop of the runner', () => {
  it('claims nothing more and requeues unfinished jobs without counting the attempt', async () => {
    const { submit, running, runner } = await scene(1)
    const children = await submit('a', 2)
    await expect.poll(running).toEqual(['a'])
    await runner.stop(0)
    expect(await children('queued')).toMatchObject([{ attempts: 0, leased_by: null }, { attempts: 0 }])
    runner.scheduleClaim()
    await runner.check()
    expect(await children('running')).toEqual([])
  })

  it('waits for jobs that end in time', async () => {
    const { submit, running, runner, end } = await scene(1)
    const children = await submit('a', 1)
    await expect.poll(running).toEqual(['a'])
    const stopped = runner.stop(10_000)
    end('a')
    await stopped
    expect(await children('completed')).toHaveLength(1)
    expect(runner.active()).toBe(0)
  })

  it('counts four attempts after a crash', async () => {
    const { submit, running, runner } = await scene(1)
    const children = await submit('a', 1)
    await expect.poll(running).toEqual(['a'])
    await runner.stop(0, { isCrash: true })
    expect(await children('queued')).toMatchObject([{ attempts: 4 }])
  })
})

describe('runner with a failing store', () => {
  it('requeues a job whose end could not be recorded, and runs it again', async () => {
    let fails = 1
    const recordEnding =
      (record: RunDeps['recordEnding']): RunDeps['recordEnding'] =>
      async (...ending) => {
        fails -= 1
        if (fails >= 0) throw new Error('cannot be recorded')
        return record(...ending)
      }
    const deps = (defaults: RunDeps) => ({ recordEnding: recordEnding(defaults.recordEnding) })
    const { submit } = await scene(4, { deps, kinds: [jobKind({ kind: 'map' })] })
    const children = await submit('a', 1, { kind: jobKind({ kind: 'map' }) })
    await expect.poll(() => children('completed'), { timeout: 10_000 }).toMatchObject([{ attempts: 1 }])
    expect(fails).toBe(-1)
  })

  it('requeues jobs whose claim committed but whose response was lost', async () => {
    const storeState = { isAway: true }
    const { submit, running, runner } = await scene(4, { deps: losingResponses(storeState) })
    const children = await submit('a', 1)
    await expect.poll(() => children('running')).toHaveLength(1)
    expect(running()).toEqual([])
    storeState.isAway = false
    runner.scheduleClaim()
    await expect.poll(running).toEqual(['a'])
    expect(await children('running')).toMatchObject([{ attempts: 1 }])
  })

  it('releases all permits when the claim of another team throws', async () => {
    const storeState = { isAway: false }
    const { submit, running, runner } = await scene(4, { deps: refusingClaims(storeState) })
    const teams = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    storeState.isAway = true
    for (const team of teams) await submit(team, 2)
    for (let round = 0; round < 8; round += 1) await runner.check().catch(() => undefined)
    storeState.isAway = false
    await runner.check()
    // Four shared permits, and the spare ones for teams without permits.
    await expect.poll(() => new Set(running()).size).toBe(teams.length)
  })

  it('runs the jobs of other teams if only the claim of one team fails', async () => {
    const { submit, running, runner, store } = await scene(4)
    const createFailingTrigger = (name: string) => sql`create trigger refuse before update on jobs
      when new.state = 'running' and new.team_id = (select id from teams where name = ${sql.lit(name)})
      begin select raise(abort, 'refused'); end`
    await createFailingTrigger('a').execute(store.query)
    for (const team of ['a', 'b', 'c']) await submit(team, 1)
    await expect.poll(() => runner.check().catch(({ message }) => message)).toBe('refused')
    await expect.poll(running).toEqual(['b', 'c'])
    await sql`drop trigger refuse`.execute(store.query)
    await runner.check()
    await expect.poll(running).toEqual(['a', 'b', 'c'])
  })

  it('fails the check if jobs that may run wait and none runs', async () => {
    const { submit, running, runner, store } = await scene(4)
    // Claims have no effect and no error.
    await sql`create trigger ignore_claims before update on jobs when new.state = 'running'
      begin select raise(ignore); end`.execute(store.query)
    await submit('a', 1)
    for (let check = 0; check < 6; check += 1) await runner.queues.check()
    await runner.check()
    await runner.queues.check()
    await expect(runner.check()).rejects.toThrow('jobs that may run have waited for 30 s')
    expect(runner.queues.stalled()).toMatchObject([{ seconds: 30 }])
    await sql`drop trigger ignore_claims`.execute(store.query)
    await runner.check()
    await expect.poll(running).toEqual(['a'])
    await runner.queues.check()
    expect(runner.queues.stalled()).toEqual([])
  })

  it('fails the check while claims fail', async () => {
    const storeState = { isAway: true }
    const { submit, runner } = await scene(4, { deps: losingResponses(storeState) })
    await submit('a', 1)
    await expect.poll(() => runner.check().catch(({ code }) => code)).toBe('STORE_UNAVAILABLE')
    storeState.isAway = false
  })
})

/**
 * While `isAway` is true, claims fail and other transactions succeed. Claims are the only transactions that are not
 * durable.
 */
function refusingClaims(storeState: { isAway: boolean }) {
  return ({ store }: RunDeps): Partial<RunDeps> => ({
    store: {
      ...store,
      async transaction(work, options) {
        if (storeState.isAway && options?.durable === false) throw new AppError('STORE_UNAVAILABLE')
        return store.transaction(work, options)
      },
    },
  })
}

/** While `isAway` is true, transactions are committed, but their responses are lost. */
function losingResponses(storeState: { isAway: boolean }) {
  return ({ store }: RunDeps): Partial<RunDeps> => ({
    store: {
      ...store,
      async transaction(work, options) {
        const result = await store.transaction(work, options)
        if (storeState.isAway) throw new AppError('STORE_UNAVAILABLE')
        return result
      },
    },
  })
}
