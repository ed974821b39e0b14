import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, type JobScene, jobKind, jobScene } from '../../test/jobs.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import { newJobRow } from './job.ts'
import { abandonIfInserted, abandonJob, admit, createSlotQueues, tryStart, waitForSlot } from './slots.ts'

afterEach(endJobScenes)

/** Creates a team with one slot that a job holds, and a second job that waits for it. */
async function sceneWithWaiter() {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1 })
  const deps = { ...scene.deps, concurrency: 100, slotQueues: createSlotQueues(scene.store) }
  const submit = async () => {
    const order = scene.order(team, 'page')
    const row: JobRow = { ...newJobRow(jobKind(), order, scene.time.now), foreground: 1 }
    await admit(deps, row, order)
    return row
  }
  const [holder, waiter] = [await submit(), await submit()]
  return { deps, holder, waiter, record: () => findJob(scene.store.query, waiter.id) }
}

const neverAborted = new AbortController().signal

describe('waitForSlot', () => {
  it('starts when a slot is freed, and returns the wait time', async () => {
    const { deps, holder, waiter, record } = await sceneWithWaiter()
    const waited = waitForSlot(deps, waiter, { timeoutMs: 60_000, signal: neverAborted })
    await abandonJob(deps, holder, new AppError('JOB_INTERRUPTED'))
    expect(await waited).toBeGreaterThanOrEqual(0)
    expect(await record()).toMatchObject({ state: 'running', attempts: 1 })
  })

  it('waits for at most two thirds of the timeout', async () => {
    const { deps, waiter, record } = await sceneWithWaiter()
    const startedAt = performance.now()
    const waited = waitForSlot(deps, waiter, { timeoutMs: 300, signal: neverAborted })
    await expect(waited).rejects.toMatchObject({ code: 'CONCURRENCY_QUEUE_TIMEOUT' })
    expect(performance.now() - startedAt).toBeGreaterThan(190)
    expect(await record()).toMatchObject({ state: 'failed', credits: 0 })
  })

  it('leaves the queue and cancels the job when the caller disconnects', async () => {
    const { deps, waiter, record } = await sceneWithWaiter()
    const controller = new AbortController()
    const waited = waitForSlot(deps, waiter, { timeoutMs: 60_000, signal: controller.signal })
    controller.abort()
    await expect(waited).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
    expect(await record()).toMatchObject({ state: 'cancelled' })
    expect(deps.slotQueues.join(waiter.team_id, 'z').isHead()).toBe(true)
  })

  it('throws STORE_UNAVAILABLE if the store is unavailable', async () => {
    const { deps, waiter, record } = await sceneWithWaiter()
    const store = { ...deps.store, transaction: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
    const waited = waitForSlot({ ...deps, store }, waiter, { timeoutMs: 60_000, signal: neverAborted })
    await expect(waited).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await record()).toMatchObject({ state: 'failed' })
  })
})

async function scene() {
  const { deps, store, holder, ...jobs } = await jobScene()
  const team = await jobs.team('team')
  const row = await jobs.insert(team, { foreground: 1, leased_by: holder.id, credits: 5 })
  return { deps, store, row, record: () => findJob(store.query, row.id) }
}

describe('abandonJob', () => {
  it('fails the job with its error, free of charge', async () => {
    const { deps, row, record } = await scene()
    await abandonJob(deps, row, new AppError('CONCURRENCY_QUEUE_TIMEOUT'))
    const error = expect.stringContaining('CONCURRENCY_QUEUE_TIMEOUT')
    expect(await record()).toMatchObject({ state: 'failed', credits: 0, leased_by: null, error })
  })

  it('wakes callers of other processes that are queued after it', async () => {
    const { deps, store, row } = await scene()
    const messages: string[] = []
    store.listen('slot', (teamId) => messages.push(teamId))
    await abandonJob(deps, row, new AppError('SCRAPE_JOB_CANCELLED'))
    await expect.poll(() => messages).toEqual([row.team_id])
  })

  it('does not change a job that another process holds', async () => {
    const { deps, row, record } = await scene()
    await abandonJob(
      { ...deps, holder: { ...deps.holder, id: 'other' } },
      row,
      new AppError('JOB_INTERRUPTED'),
    )
    expect(await record()).toMatchObject({ state: 'queued', credits: 5 })
  })

  it('is retried by abandonIfInserted until the store is available', async () => {
    const { deps, row, record } = await scene()
    let tries = 0
    const store = {
      ...deps.store,
      get query() {
        tries += 1
        if (tries < 3) throw new AppError('STORE_UNAVAILABLE')
        return deps.store.query
      },
    }
    abandonIfInserted({ ...deps, store }, row)
    await expect.poll(record, { timeout: 10_000 }).toMatchObject({ state: 'failed' })
    expect(tries).toBe(3)
  })
})

async function oneSlot(options: { balance?: number } = {}) {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1, ...options })
  return { scene, team, deps: { ...scene.deps, concurrency: 100 } }
}

function newRequest(scene: JobScene, team: Team, { price = 0, takesSlot = true } = {}) {
  const order = scene.order(team, 'page', { price })
  return { order, row: { ...newJobRow(jobKind({ takesSlot }), order, scene.time.now), foreground: 1 } }
}

describe('admit', () => {
  it('inserts a running job with a lease if the team has a free slot', async () => {
    const { scene, team, deps } = await oneSlot()
    const { row, order } = newRequest(scene, team)
    expect(await admit(deps, row, order)).toBe(true)
    const lease = { leased_by: scene.holder.id, lease_until: scene.time.now + 12_000 }
    expect(await findJob(scene.store.query, row.id)).toMatchObject({
      state: 'running',
      attempts: 1,
      ...lease,
    })
  })

  it('inserts a queued job without a free slot, which starts when one is freed', async () => {
    const { scene, team, deps } = await oneSlot()
    const [first, second] = [newRequest(scene, team), newRequest(scene, team)]
    await admit(deps, first.row, first.order)
    expect(await admit(deps, second.row, second.order)).toBe(false)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'queued' })
    expect(await tryStart(deps, second.row)).toBe(false)
    const result = {
      id: first.row.id,
      state: 'completed',
      result: null,
      resultBlob: null,
      credits: 0,
    } as const
    const end = { ...result, holder: scene.holder.id, error: undefined, now: 0, input: '{}', erase: false }
    await scene.deps.recordEnding(first.row, end)
    expect(await tryStart(deps, second.row)).toBe(true)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'running' })
  })

  it('does not overtake a caller that already waits', async () => {
    const { scene, team, deps } = await oneSlot()
    const [first, second, third] = [newRequest(scene, team), newRequest(scene, team), newRequest(scene, team)]
    await admit(deps, first.row, first.order)
    scene.time.now += 6000
    for (const { row, order } of [second, third]) await admit(deps, row, order)
    // The lease of the first job expires, and those of the others do not.
    scene.time.now += 6001
    expect(await tryStart(deps, third.row)).toBe(false)
    expect(await tryStart(deps, second.row)).toBe(true)
  })

  it('starts a job without a slot if its kind takes none', async () => {
    const { scene, team, deps } = await oneSlot()
    const first = newRequest(scene, team)
    await admit(deps, first.row, first.order)
    const second = newRequest(scene, team, { takesSlot: false })
    expect(await admit(deps, second.row, second.order)).toBe(true)
  })

  it('inserts nothing if the team cannot pay', async () => {
    const { scene, team, deps } = await oneSlot({ balance: 4 })
    const { row, order } = newRequest(scene, team, { price: 5 })
    await expect(admit(deps, row, order)).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    expect(await findJob(scene.store.query, row.id)).toBeUndefined()
  })
})

function queuesWithEmitter() {
  const emitter = new EventEmitter()
  // The queues use only the wake-ups of the store.
  const store = {
    listen: (_: string, onNotify: (team: string) => void) => void emitter.on('slot', onNotify),
  } as unknown as Store
  return { slotQueues: createSlotQueues(store), free: () => emitter.emit('slot', 'team') }
}

describe('createSlotQueues', () => {
  it('sorts by id, not by the order of joining', () => {
    const { slotQueues } = queuesWithEmitter()
    const second = slotQueues.join('team', 'b')
    const first = slotQueues.join('team', 'a')
    expect([first.isHead(), second.isHead()]).toEqual([true, false])
  })

  it('wakes the next entry when the head leaves', async () => {
    const { slotQueues } = queuesWithEmitter()
    const [first, second] = [slotQueues.join('team', 'a'), slotQueues.join('team', 'b')]
    const moved = second.nextChange(neverAborted)
    first.leave()
    await moved
    expect(second.isHead()).toBe(true)
  })

  it('buffers a wake-up that arrives without a listener', async () => {
    const { slotQueues, free } = queuesWithEmitter()
    const entry = slotQueues.join('team', 'a')
    free()
    await entry.nextChange(neverAborted)
    expect(entry.isHead()).toBe(true)
  })

  it('rejects when the signal aborts', async () => {
    const { slotQueues } = queuesWithEmitter()
    const controller = new AbortController()
    const moved = slotQueues.join('team', 'a').nextChange(controller.signal)
    controller.abort(new Error('gone'))
    await expect(moved).rejects.toThrow('gone')
  })
})
