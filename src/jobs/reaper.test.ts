import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { balanceOf } from '../store/credits.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import { renewLeases } from '../store/jobs/leases.ts'
import { maxAttempts } from './job.ts'
import { reap, startReaper } from './reaper.ts'
import type { RunDeps } from './run-job.ts'

afterEach(endJobScenes)
afterEach(() => vi.useRealTimers())

async function scene() {
  const jobs = await jobScene()
  const team = await jobs.team('team', { balance: 100 })
  const { now } = jobs.time
  const running = { state: 'running', leased_by: 'dead', lease_until: now - 1, attempts: 1 } as const
  return {
    ...jobs,
    team,
    running,
    put: (changes: Partial<JobRow>) => jobs.insert(team, { credits: 5, ...changes }),
    reap: (changes: Partial<RunDeps> = {}) => reap({ ...jobs.deps, ...changes }),
    async now({ id }: JobRow) {
      const row = (await findJob(jobs.store.query, id)) ?? expect.unreachable()
      return { ...row, error: row.error === null ? null : JSON.parse(row.error).code }
    },
  }
}

describe('a job in the background', () => {
  it('is started again where its process has died, and listeners for work hear of it', async () => {
    const { put, running, reap, now, store } = await scene()
    const heard: string[] = []
    store.listen('queued', (message) => heard.push(message))
    const job = await put(running)
    await reap()
    expect(await now(job)).toMatchObject({ state: 'queued', attempts: 1, leased_by: null, lease_until: null })
    await expect.poll(() => heard).toEqual([''])
  })

  it('has failed, free of charge, where it was started too often, and its order is erased', async () => {
    const { put, running, reap, now, store, team } = await scene()
    const job = await put({ ...running, attempts: maxAttempts })
    await reap()
    const ended = { state: 'failed', error: 'JOB_ATTEMPTS_EXHAUSTED', credits: 0, input: '{}' }
    expect(await now(job)).toMatchObject(ended)
    expect(await balanceOf(store.query, team.id)).toBe(100)
  })

  it('has failed where it waited past its deadline', async () => {
    const { put, reap, now, time } = await scene()
    const [late, early] = [await put({ deadline_at: time.now - 1 }), await put({ deadline_at: time.now + 1 })]
    await reap()
    expect(await now(late)).toMatchObject({ state: 'failed', error: 'JOB_DEADLINE_PASSED' })
    expect(await now(early)).toMatchObject({ state: 'queued', error: null })
  })

  it('is left to a process that lives', async () => {
    const { put, running, reap, now, time } = await scene()
    const job = await put({ ...running, lease_until: time.now + 1 })
    await reap()
    expect(await now(job)).toMatchObject({ state: 'running', leased_by: 'dead' })
  })

  it('is left to a process that was slow and has renewed its lease since', async () => {
    const { put, running, reap, now, store, time, deps } = await scene()
    const job = await put({ ...running, attempts: maxAttempts })
    await reap({
      async recordEnding(...ending) {
        await renewLeases(store, [job.id], { holder: 'dead', until: time.now + 1000, now: time.now })
        return deps.recordEnding(...ending)
      },
    })
    expect(await now(job)).toMatchObject({ state: 'running', error: null })
  })
})

describe('a job whose caller waited', () => {
  it.each(['running', 'queued'] as const)('has failed where its process has died: %s', async (state) => {
    const { put, running, reap, now } = await scene()
    const job = await put({ ...running, state, foreground: 1, input: '"what may stay"' })
    await reap()
    const ended = { state: 'failed', error: 'JOB_INTERRUPTED', credits: 0, input: '"what may stay"' }
    expect(await now(job)).toMatchObject(ended)
  })

  it('wakes those who wait for its slot', async () => {
    const { put, running, reap, store, team } = await scene()
    const heard: string[] = []
    store.listen('slot', (message) => heard.push(message))
    await put({ ...running, foreground: 1 })
    await reap()
    await expect.poll(() => heard).toEqual([team.id])
  })
})

describe('a parent', () => {
  const parent = { kind: 'batch_scrape', state: 'running', takes_slot: 0 } as const

  it('ends with the last of its children', async () => {
    const { put, running, reap, now } = await scene()
    const batch = await put(parent)
    const child = await put({ ...running, attempts: maxAttempts, parent_id: batch.id })
    await reap()
    expect([(await now(child)).state, (await now(batch)).state]).toEqual(['failed', 'completed'])
  })

  it('ends where the end of its last child was not passed on', async () => {
    const { put, reap, now } = await scene()
    const batch = await put(parent)
    await put({ state: 'completed', finished_at: 1, parent_id: batch.id })
    await reap()
    expect(await now(batch)).toMatchObject({ state: 'completed' })
  })

  it('goes on while a child lives', async () => {
    const { put, reap, now } = await scene()
    const batch = await put(parent)
    await put({ parent_id: batch.id })
    await reap()
    expect(await now(batch)).toMatchObject({ state: 'running' })
  })
})

describe('the reaper', () => {
  it('looks again though a look has failed, and never twice at the same time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { deps } = await scene()
    const looks: PromiseWithResolvers<never>[] = []
    const store = {
      ...deps.store,
      transaction: () => {
        const look = Promise.withResolvers<never>()
        looks.push(look)
        return look.promise
      },
    }
    const reaper = startReaper({ ...deps, store })
    vi.advanceTimersByTime(6000)
    expect(looks).toHaveLength(1)
    looks[0]?.reject(new Error('the store is away'))
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(2000)
    expect(looks).toHaveLength(2)
    reaper.stop()
    looks[1]?.reject(new Error('the store is away'))
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    expect(looks).toHaveLength(2)
  })
})

describe('the documents', () => {
  it.each([
    ['architecture.md', /until it has been started (\d+) times/],
    ['self-hosting.md', /fetched again, at most (\d+) times in total/],
    ['adr/0006-every-call-is-a-job.md', /Background jobs get (\d+) starts/],
  ])('%s has the number of starts of a background job', (file, pattern) => {
    const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
    expect(Number(pattern.exec(text)?.[1])).toBe(maxAttempts)
  })
})
