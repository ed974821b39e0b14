import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/service.ts'
import { diskBlobs } from '../adapters/blobs/disk.ts'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { createFamilies } from '../families.ts'
import { migrate } from '../store/migrate.ts'
import type { Tables } from '../store/schema.ts'
import { createTeam } from '../store/teams.ts'
import { endingRecorder } from './endings.ts'
import { createHolder } from './holder.ts'
import { defineJob } from './job.ts'
import { createQueue } from './queue.ts'
import { startRunner } from './runner.ts'

let stop = async () => {}
afterEach(() => stop())

/** A runner with little room, and jobs that run until the test ends them. */
async function scene(capacity: number) {
  const folder = temporaryFolder()
  const store = sqliteDatabase<Tables>(join(folder.path, 'store.sqlite'))
  await migrate(store)
  const families = createFamilies({ store, clock: systemClock })
  const base = { store, blobs: diskBlobs(folder.path), clock: systemClock, log: silentLog, families }
  const holder = createHolder({ ...base, leaseMs: 12_000 })
  const running: { team: string; end(): void }[] = []
  const kind = defineJob<string, object>({
    kind: 'scrape',
    takesSlot: true,
    onRecord: (input) => input,
    async run(job, signal) {
      const over = new AbortController()
      const me = { team: job.input, end: () => over.abort() }
      running.push(me)
      await once(AbortSignal.any([over.signal, signal]), 'abort')
      running.splice(running.indexOf(me), 1)
      return { credits: 0, result: {} }
    },
  })
  const queue = createQueue(base)
  const needs = { ...base, holder, recordEnding: endingRecorder(store, families) }
  const runner = startRunner(needs, { kinds: [kind], capacity, concurrency: 100 })
  stop = async () => {
    for (const job of [...running]) job.end()
    await runner.stop(2000)
    holder.stop()
    await store.close()
    folder.remove()
  }
  return {
    running: () => running.map(({ team }) => team).sort(),
    end: (team: string) => running.find((job) => job.team === team)?.end(),
    async submit(name: string, count: number) {
      const { id } = await createTeam(store.query, { name, balance: null, now: 0 })
      const team = { id, name, keyId: null, concurrency: 100, isLimited: false, zeroRetention: false }
      const common = { team, target: null, origin: undefined, retain: true, price: 0 }
      const order = { ...common, input: name, deadlineAt: Date.now() + 60_000 }
      const children = { kind, orders: Array<typeof order>(count).fill(order) }
      await queue.submitFamily<string>({ kind: 'batch', order, children, idempotencyKey: undefined })
    },
  }
}

const many = (team: string, count: number) => Array<string>(count).fill(team)

describe('the runner', () => {
  it('gives all its room to one team while no other waits', async () => {
    const { submit, running } = await scene(4)
    await submit('a', 10)
    await expect.poll(running).toEqual(many('a', 4))
  })

  it('starts a job of a team that has none running, though another has filled all room', async () => {
    const { submit, running } = await scene(4)
    await submit('a', 10)
    await expect.poll(running).toEqual(many('a', 4))
    await submit('b', 10)
    await expect.poll(running).toEqual([...many('a', 4), 'b'])
  })

  it('gives room that becomes free to the team that has the fewest running', async () => {
    const { submit, running, end } = await scene(4)
    await submit('a', 20)
    await expect.poll(running).toEqual(many('a', 4))
    await submit('b', 20)
    await expect.poll(running).toEqual([...many('a', 4), 'b'])
    for (const left of [3, 2]) {
      end('a')
      await expect.poll(() => running().filter((team) => team === 'a')).toEqual(many('a', left))
    }
    await expect.poll(running).toEqual(['a', 'a', 'b', 'b'])
  })
})
