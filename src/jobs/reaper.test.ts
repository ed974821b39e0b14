import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { getBalance } from '../store/credits.ts'
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

describe('background job', () => {
  it('is requeued if its process is dead, and listeners are notified', async () => {
    const { put, running, reap, now, store } = await scene()
    const messages: string[] = []
    store.listen('queued', (message) => messages.push(message))
    const job = await put(running)
    await reap()
    expect(await now(job)).toMatchObject({ state: 'queued', attempts: 1, leased_by: null, lease_until: null })
    await expect.poll(() => messages).toEqual([''])
  })

  it('fails free of charge after maxAttempts starts, and its input is erased', async () => {
    const { put, running, reap, now, store, team } = await scene()
    const job = await put({ ...running, attempts: maxAttempts })
    await reap()
    const ended = { state: 'failed', error: 'JOB_ATTEMPTS_EXHAUSTED', credits: 0, input: '{}' }
    expect(await now(job)).toMatchObject(ended)
    expect(await getBalance(store.query, team.id)).toBe(100)
  })

  it('fails after it waited past its deadline', async () => {
    const { put, reap, now, time } = await scene()
    const [late, early] = [await put({ deadline_at: time.now - 1 }), await put({ deadline_at: time.now + 1 })]
    await reap()
    expect(await now(late)).toMatchObject({ state: 'failed', error: 'JOB_DEADLINE_PASSED' })
    expect(await now(early)).toMatchObject({ state: 'queued', error: null })
  })

  it('is not changed while its lease is valid', async () => {
    const { put, running, reap, now, time } = await scene()
    const job = await put({ ...running, lease_until: time.now + 1 })
    await reap()
    expect(await now(job)).toMatchObject({ state: 'running', leased_by: 'dead' })
  })

  it('is not changed if a slow process has renewed its lease', async () => {
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

describe('foreground job', () => {
  it.each(['running', 'queued'] as const)('fails if its process is dead: %s', async (state) => {
    const { put, running, reap, now } = await scene()
    const job = await put({ ...running, state, foreground: 1, input: '"what may stay"' })
    await reap()
    const ended = { state: 'failed', error: 'JOB_INTERRUPTED', credits: 0, input: '"what may stay"' }
    expect(await now(job)).toMatchObject(ended)
  })

  it('wakes the callers that wait for its slot', async () => {
    const { put, running, reap, store, team } = await scene()
    const messages: string[] = []
    store.listen('slot', (message) => messages.push(message))
    await put({ ...running, foreground: 1 })
    await reap()
    await expect.poll(() => messages).toEqual([team.id])
  })
})

describe('parent', () => {
  const parent = { kind: 'batch_scrape', state: 'running', takes_slot: 0 } as const

  it('ends with its last child', async () => {
    const { put, running, reap, now } = await scene()
    const batch = await put(parent)
    const child = await put({ ...running, attempts: maxAttempts, parent_id: batch.id })
    await reap()
    expect([(await now(child)).state, (await now(batch)).state]).toEqual(['failed', 'completed'])
  })

  it('ends if its last child ended without ending it', async () => {
    const { put, reap, now } = await scene()
    const batch = await put(parent)
    await put({ state: 'completed', finished_at: 1, parent_id: batch.id })
    await reap()
    expect(await now(batch)).toMatchObject({ state: 'completed' })
  })

  it('continues while a child is active', async () => {
    const { put, reap, now } = await scene()
    const batch = await put(parent)
    await put({ parent_id: batch.id })
    await reap()
    expect(await now(batch)).toMatchObject({ state: 'running' })
  })
})

describe('startReaper', () => {
  it('runs again after a failed run, and never concurrently', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { deps } = await scene()
    const runs: PromiseWithResolvers<never>[] = []
    const store = {
      ...deps.store,
      transaction: () => {
        const run = Promise.withResolvers<never>()
        runs.push(run)
        return run.promise
      },
    }
    const reaper = startReaper({ ...deps, store })
    vi.advanceTimersByTime(6000)
    expect(runs).toHaveLength(1)
    runs[0]?.reject(new Error('the store is away'))
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(2000)
    expect(runs).toHaveLength(2)
    reaper.stop()
    runs[1]?.reject(new Error('the store is away'))
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    expect(runs).toHaveLength(2)
  })
})

describe('documentation', () => {
  it.each([
    ['architecture.md', /until it has been started (\d+) times/],
    ['self-hosting.md', /fetched again, at most (\d+) times in total/],
    ['adr/0006-every-call-is-a-job.md', /Background jobs get (\d+) starts/],
  ])('%s states the maximum starts of a background job', (file, pattern) => {
    const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
    expect(Number(pattern.exec(text)?.[1])).toBe(maxAttempts)
  })
})
