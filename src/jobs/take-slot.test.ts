import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, type JobScene, jobKind, jobScene } from '../../test/jobs.ts'
import type { Team } from '../accounts/team.ts'
import { findJob } from '../store/jobs.ts'
import { newJobRow } from './job.ts'
import { admit, tryStart } from './take-slot.ts'

afterEach(endJobScenes)

async function oneSlot(has: { balance?: number } = {}) {
  const scene = await jobScene()
  const team = await scene.team('team', { slots: 1, ...has })
  return { scene, team, needs: { ...scene.needs, concurrency: 100 } }
}

function asked(scene: JobScene, team: Team, { price = 0, takesSlot = true } = {}) {
  const order = scene.order(team, 'page', { price })
  return { order, row: { ...newJobRow(jobKind({ takesSlot }), order, scene.time.now), foreground: 1 } }
}

describe('a job whose caller waits', () => {
  it('is on record as running, under our lease, where its team has a free slot', async () => {
    const { scene, team, needs } = await oneSlot()
    const { row, order } = asked(scene, team)
    expect(await admit(needs, row, order)).toBe(true)
    const lease = { leased_by: scene.holder.id, lease_until: scene.time.now + 12_000 }
    expect(await findJob(scene.store.query, row.id)).toMatchObject({
      state: 'running',
      attempts: 1,
      ...lease,
    })
  })

  it('is on record as waiting where there is none, and starts when one becomes free', async () => {
    const { scene, team, needs } = await oneSlot()
    const [first, second] = [asked(scene, team), asked(scene, team)]
    await admit(needs, first.row, first.order)
    expect(await admit(needs, second.row, second.order)).toBe(false)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'queued' })
    expect(await tryStart(needs, second.row)).toBe(false)
    const over = { id: first.row.id, state: 'completed', result: null, resultBlob: null, credits: 0 } as const
    const end = { ...over, holder: scene.holder.id, error: undefined, now: 0, input: '{}', forget: false }
    await scene.needs.recordEnding(first.row, end)
    expect(await tryStart(needs, second.row)).toBe(true)
    expect(await findJob(scene.store.query, second.row.id)).toMatchObject({ state: 'running' })
  })

  it('does not pass by a caller that waits already', async () => {
    const { scene, team, needs } = await oneSlot()
    const [first, second, third] = [asked(scene, team), asked(scene, team), asked(scene, team)]
    await admit(needs, first.row, first.order)
    scene.time.now += 6000
    for (const { row, order } of [second, third]) await admit(needs, row, order)
    // The lease of the first runs out, and those of the others do not.
    scene.time.now += 6001
    expect(await tryStart(needs, third.row)).toBe(false)
    expect(await tryStart(needs, second.row)).toBe(true)
  })

  it('waits for no slot where its kind takes none', async () => {
    const { scene, team, needs } = await oneSlot()
    const first = asked(scene, team)
    await admit(needs, first.row, first.order)
    const second = asked(scene, team, { takesSlot: false })
    expect(await admit(needs, second.row, second.order)).toBe(true)
  })

  it('is not on record where its team cannot pay for it', async () => {
    const { scene, team, needs } = await oneSlot({ balance: 4 })
    const { row, order } = asked(scene, team, { price: 5 })
    await expect(admit(needs, row, order)).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    expect(await findJob(scene.store.query, row.id)).toBeUndefined()
  })
})
