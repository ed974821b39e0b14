import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobKind, jobScene } from '../../test/jobs.ts'
import { AppError } from '../base/errors.ts'
import { findJob, type JobRow } from '../store/jobs.ts'
import { giveUp } from './give-up.ts'
import { newJobRow } from './job.ts'
import { slotLines } from './slot-line.ts'
import { admit } from './take-slot.ts'
import { waitForSlot } from './wait-for-slot.ts'

afterEach(endJobScenes)

/** A team with one slot, which a job has, and another that waits for it. */
async function oneWaits() {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1 })
  const needs = { ...scene.needs, concurrency: 100, lines: slotLines(scene.store) }
  const submit = async () => {
    const order = scene.order(team, 'page')
    const row: JobRow = { ...newJobRow(jobKind(), order, scene.time.now), foreground: 1 }
    await admit(needs, row, order)
    return row
  }
  const [has, waits] = [await submit(), await submit()]
  return { needs, has, waits, record: () => findJob(scene.store.query, waits.id) }
}

const alive = new AbortController().signal

describe('a caller that waits for a slot', () => {
  it('gets the one that becomes free, and learns how long it waited', async () => {
    const { needs, has, waits, record } = await oneWaits()
    const waited = waitForSlot(needs, waits, { timeoutMs: 60_000, signal: alive })
    await giveUp(needs, has, new AppError('JOB_INTERRUPTED'))
    expect(await waited).toBeGreaterThanOrEqual(0)
    expect(await record()).toMatchObject({ state: 'running', attempts: 1 })
  })

  it('waits for two thirds of its time at the most', async () => {
    const { needs, waits, record } = await oneWaits()
    const began = performance.now()
    const waited = waitForSlot(needs, waits, { timeoutMs: 300, signal: alive })
    await expect(waited).rejects.toMatchObject({ code: 'CONCURRENCY_QUEUE_TIMEOUT' })
    expect(performance.now() - began).toBeGreaterThan(190)
    expect(await record()).toMatchObject({ state: 'failed', credits: 0 })
  })

  it('leaves the line when it has gone, and its job is cancelled', async () => {
    const { needs, waits, record } = await oneWaits()
    const gone = new AbortController()
    const waited = waitForSlot(needs, waits, { timeoutMs: 60_000, signal: gone.signal })
    gone.abort()
    await expect(waited).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
    expect(await record()).toMatchObject({ state: 'cancelled' })
    expect(needs.lines.join(waits.team_id, 'z').isHead()).toBe(true)
  })

  it('hears of a store that is not there', async () => {
    const { needs, waits, record } = await oneWaits()
    const store = { ...needs.store, transaction: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
    const waited = waitForSlot({ ...needs, store }, waits, { timeoutMs: 60_000, signal: alive })
    await expect(waited).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await record()).toMatchObject({ state: 'failed' })
  })
})
