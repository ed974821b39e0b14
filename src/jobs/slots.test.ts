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

/** A team with one slot, which a job has, and another that waits for it. */
async function oneWaits() {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1 })
  const deps = { ...scene.deps, concurrency: 100, lines: createSlotQueues(scene.store) }
  const submit = async () => {
    const order = scene.order(team, 'page')
    const row: JobRow = { ...newJobRow(jobKind(), order, scene.time.now), foreground: 1 }
    await admit(deps, row, order)
    return row
  }
  const [has, waits] = [await submit(), await submit()]
  return { deps, has, waits, record: () => findJob(scene.store.query, waits.id) }
}

const alive = new AbortController().signal

describe('a caller that waits for a slot', () => {
  it('gets the one that becomes free, and learns how long it waited', async () => {
    const { deps, has, waits, record } = await oneWaits()
    const waited = waitForSlot(deps, waits, { timeoutMs: 60_000, signal: alive })
    await abandonJob(deps, has, new AppError('JOB_INTERRUPTED'))
    expect(await waited).toBeGreaterThanOrEqual(0)
    expect(await record()).toMatchObject({ state: 'running', attempts: 1 })
  })

  it('waits for two thirds of its time at the most', async () => {
    const { deps, waits, record } = await oneWaits()
    const began = performance.now()
    const waited = waitForSlot(deps, waits, { timeoutMs: 300, signal: alive })
    await expect(waited).rejects.toMatchObject({ code: 'CONCURRENCY_QUEUE_TIMEOUT' })
    expect(performance.now() - began).toBeGreaterThan(190)
    expect(await record()).toMatchObject({ state: 'failed', credits: 0 })
  })

  it('leaves the line when it has gone, and its job is cancelled', async () => {
    const { deps, waits, record } = await oneWaits()
    const gone = new AbortController()
    const waited = waitForSlot(deps, waits, { timeoutMs: 60_000, signal: gone.signal })
    gone.abort()
    await expect(waited).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
    expect(await record()).toMatchObject({ state: 'cancelled' })
    expect(deps.lines.join(waits.team_id, 'z').isHead()).toBe(true)
  })

  it('hears of a store that is not there', async () => {
    const { deps, waits, record } = await oneWaits()
    const store = { ...deps.store, transaction: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
    const waited = waitForSlot({ ...deps, store }, waits, { timeoutMs: 60_000, signal: alive })
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

describe('a job that is given up', () => {
  it('has failed with its reason and costs nothing', async () => {
    const { deps, row, record } = await scene()
    await abandonJob(deps, row, new AppError('CONCURRENCY_QUEUE_TIMEOUT'))
    const error = expect.stringContaining('CONCURRENCY_QUEUE_TIMEOUT')
    expect(await record()).toMatchObject({ state: 'failed', credits: 0, leased_by: null, error })
  })

  it('wakes those of other processes who stand behind it', async () => {
    const { deps, store, row } = await scene()
    const heard: string[] = []
    store.listen('slot', (teamId) => heard.push(teamId))
    await abandonJob(deps, row, new AppError('SCRAPE_JOB_CANCELLED'))
    await expect.poll(() => heard).toEqual([row.team_id])
  })

  it('is left alone where another process has it', async () => {
    const { deps, row, record } = await scene()
    await abandonJob(
      { ...deps, holder: { ...deps.holder, id: 'other' } },
      row,
      new AppError('JOB_INTERRUPTED'),
    )
    expect(await record()).toMatchObject({ state: 'queued', credits: 5 })
  })

  it('is taken back when the store is there again', async () => {
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

async function oneSlot(has: { balance?: number } = {}) {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1, ...has })
  return { scene, team, deps: { ...scene.deps, concurrency: 100 } }
}

function asked(scene: JobScene, team: Team, { price = 0, takesSlot = true } = {}) {
  const order = scene.order(team, 'page', { price })
  return { order, row: { ...newJobRow(jobKind({ takesSlot }), order, scene.time.now), foreground: 1 } }
}

describe('a job whose caller waits', () => {
  it('is on record as running, under our lease, where its team has a free slot', async () => {
    const { scene, team, deps } = await oneSlot()
    const { row, order } = asked(scene, team)
    expect(await admit(deps, row, order)).toBe(true)
    const lease = { leased_by: scene.holder.id, lease_until: scene.time.now + 12_000 }
    expect(await findJob(scene.store.query, row.id)).toMatchObject({
      state: 'running',
      attempts: 1,
      ...lease,
    })
  })

  it('is on record as waiting where there is none, and starts when one becomes free', async () => {
    const { scene, team, deps } = await oneSlot()
    const [first, second] = [asked(scene, team), asked(scene, team)]
    await admit(deps, first.row, first.order)
    expect(await admit(deps, second.row, second.order)).toBe(false)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'queued' })
    expect(await tryStart(deps, second.row)).toBe(false)
    const over = { id: first.row.id, state: 'completed', result: null, resultBlob: null, credits: 0 } as const
    const end = { ...over, holder: scene.holder.id, error: undefined, now: 0, input: '{}', forget: false }
    await scene.deps.recordEnding(first.row, end)
    expect(await tryStart(deps, second.row)).toBe(true)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'running' })
  })

  it('does not pass by a caller that waits already', async () => {
    const { scene, team, deps } = await oneSlot()
    const [first, second, third] = [asked(scene, team), asked(scene, team), asked(scene, team)]
    await admit(deps, first.row, first.order)
    scene.time.now += 6000
    for (const { row, order } of [second, third]) await admit(deps, row, order)
    // The lease of the first runs out, and those of the others do not.
    scene.time.now += 6001
    expect(await tryStart(deps, third.row)).toBe(false)
    expect(await tryStart(deps, second.row)).toBe(true)
  })

  it('waits for no slot where its kind takes none', async () => {
    const { scene, team, deps } = await oneSlot()
    const first = asked(scene, team)
    await admit(deps, first.row, first.order)
    const second = asked(scene, team, { takesSlot: false })
    expect(await admit(deps, second.row, second.order)).toBe(true)
  })

  it('is not on record where its team cannot pay for it', async () => {
    const { scene, team, deps } = await oneSlot({ balance: 4 })
    const { row, order } = asked(scene, team, { price: 5 })
    await expect(admit(deps, row, order)).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    expect(await findJob(scene.store.query, row.id)).toBeUndefined()
  })
})

function linesWithBell() {
  const bell = new EventEmitter()
  // Of a store, lines use its wake-ups alone.
  const store = {
    listen: (_: string, heard: (team: string) => void) => void bell.on('slot', heard),
  } as unknown as Store
  return { lines: createSlotQueues(store), free: () => bell.emit('slot', 'team') }
}

const never = new AbortController().signal

describe('the line for a slot', () => {
  it('is in the order of ids, not in the order of joining', () => {
    const { lines } = linesWithBell()
    const second = lines.join('team', 'b')
    const first = lines.join('team', 'a')
    expect([first.isHead(), second.isHead()]).toEqual([true, false])
  })

  it('moves when the head leaves', async () => {
    const { lines } = linesWithBell()
    const [first, second] = [lines.join('team', 'a'), lines.join('team', 'b')]
    const moved = second.movement(never)
    first.leave()
    await moved
    expect(second.isHead()).toBe(true)
  })

  it('keeps a wake-up that came while nobody listened', async () => {
    const { lines, free } = linesWithBell()
    const place = lines.join('team', 'a')
    free()
    await place.movement(never)
    expect(place.isHead()).toBe(true)
  })

  it('lets a caller give up', async () => {
    const { lines } = linesWithBell()
    const leaving = new AbortController()
    const moved = lines.join('team', 'a').movement(leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(moved).rejects.toThrow('gone')
  })
})
