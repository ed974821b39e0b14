import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, endsFirst, jobScene } from '../../test/jobs.ts'
import { silentLog } from '../platform/log.ts'
import { Permits } from '../platform/permits.ts'
import { startJob } from '../store/jobs/leases.ts'
import { stalledAfterSeconds, watchQueues } from './queue-watch.ts'

afterEach(endJobScenes)

async function scene({ slots = 1, takesSlot = 1 } = {}) {
  const jobs = await jobScene()
  const team = await jobs.team('waiting', { slots })
  const row = await jobs.insert(team, { takes_slot: takesSlot, foreground: 0, queued_at: 1 })
  const lines: object[] = []
  const log = {
    ...silentLog,
    warn: (line: object) => lines.push(line),
    error: (line: object) => lines.push(line),
  }
  const permits = new Permits({ count: 1 })
  const active = { count: 0, started: 0 }
  const watch = watchQueues({
    ...jobs.deps,
    ...{ log, permits, concurrency: 1 },
    jobs: { count: () => active.count, started: () => active.started },
  })
  endsFirst(async () => watch.stop())
  return {
    ...{ watch, team, lines, active, permits },
    start: () => startJob(jobs.store.query, row.id, jobs.holder.lease()),
    /** Runs checks for a duration. The first check finds the oldest job; each later one counts five seconds. */
    async runChecksFor(seconds: number) {
      for (let check = 0; check <= seconds / 5; check += 1) await watch.check()
    },
  }
}

describe.each([1, 0])('watchQueues with a queued job (takes_slot %i)', (takesSlot) => {
  it('reports the team until its job starts', async () => {
    const { watch, team, lines, runChecksFor, start } = await scene({ takesSlot })
    await runChecksFor(stalledAfterSeconds - 5)
    expect([watch.stalled(), lines]).toEqual([[], []])
    await watch.check()
    expect(watch.stalled()).toEqual([{ teamId: team.id, seconds: stalledAfterSeconds }])
    expect(lines).toEqual([
      { code: 'QUEUE_STALLED', teams: [team.id], count: 1, seconds: stalledAfterSeconds },
    ])
    await watch.check()
    expect(lines).toHaveLength(1)
    await start()
    await watch.check()
    expect(watch.stalled()).toEqual([])
    expect(lines.slice(1)).toEqual([{ code: 'QUEUE_RESUMED', teams: [team.id], count: 1 }])
  })
})

describe('watchQueues', () => {
  it('does not report a team without a free slot', async () => {
    const { watch, runChecksFor } = await scene({ slots: 0 })
    await runChecksFor(60)
    expect([watch.stalled(), watch.idleSeconds()]).toEqual([[], 0])
  })

  it('does not report a team without a free permit, but counts the idle time', async () => {
    const { watch, runChecksFor, permits } = await scene()
    void permits.tryRun({ team: 'another' }, () => new Promise(() => {}))
    await runChecksFor(60)
    expect([watch.stalled(), watch.idleSeconds()]).toEqual([[], 60])
  })

  it('reports a team if permits are free at only some checks', async () => {
    const { watch, permits } = await scene()
    for (let check = 0; check <= 12; check += 1) {
      const claim = Promise.withResolvers<void>()
      const held = check % 2 === 1 ? permits.tryRun({ team: 'another' }, () => claim.promise) : undefined
      await watch.check()
      claim.resolve()
      await held
    }
    expect(watch.stalled()).toMatchObject([{ seconds: stalledAfterSeconds }])
  })

  it('counts no idle time while a job runs, or if one was started between two checks', async () => {
    const { watch, runChecksFor, active } = await scene()
    await runChecksFor(20)
    expect(watch.idleSeconds()).toBe(20)
    active.count = 1
    expect(watch.idleSeconds()).toBe(0)
    await watch.check()
    active.count = 0
    expect(watch.idleSeconds()).toBe(0)
    await runChecksFor(20)
    active.started += 1
    expect(watch.idleSeconds()).toBe(0)
    await watch.check()
    expect(watch.idleSeconds()).toBe(0)
  })
})
