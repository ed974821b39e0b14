import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import type { PostRequest } from '../../fetch/network/post.ts'
import { claimDeliveries, listDeliveries } from '../../store/deliveries.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { deliver } from './deliverer.ts'
import { registerWebhook } from './outbox.ts'

afterEach(endJobScenes)

const minute = 60_000

/** Creates one claimed delivery, and a receiver that responds with `respond`. */
async function scene(respond: (signal: AbortSignal) => Promise<number>) {
  const { store, deps: jobs, team: newTeam, time } = await jobScene()
  const team = await newTeam('team')
  // The outbox reads only these columns of the job.
  const job = { id: 'job', team_id: team.id, kind: 'crawl', created_at: time.now } as JobRow
  await registerWebhook(store.query, job, { url: 'https://a.example/hook', headers: { 'x-own': 'yes' } })
  const claim = { jobId: job.id, limit: 1, now: time.now, leaseUntil: time.now + 1 }
  const [row = expect.unreachable()] = await claimDeliveries(store, claim)
  const posts: PostRequest[] = []
  const poster = {
    post: (request: PostRequest, signal: AbortSignal) => {
      posts.push(request)
      return respond(signal)
    },
    close: async () => {},
  }
  const deps = { store, clock: jobs.clock, poster, documentOf: async () => ({}), retryDelaysMs: [minute] }
  const stopping = new AbortController()
  const timeouts: boolean[] = []
  const delivery = { timeoutMs: 50, recordTimeout: (isTimeout: boolean) => timeouts.push(isTimeout) }
  return {
    ...{ store, posts, silences: timeouts, stopping, row, time },
    send: (changes: object = {}) =>
      deliver({ ...deps, ...changes }, row, { ...delivery, stopping: stopping.signal }),
    async record() {
      const filter = { jobId: undefined, state: undefined, before: undefined, limit: 9 }
      const [stored] = await listDeliveries(store.query, { teamId: team.id, ...filter })
      const log = JSON.parse(stored?.log ?? '[]') as { status?: number; error?: string }[]
      return { state: stored?.state, attempts: stored?.attempts, next_at: stored?.next_at, log }
    },
  }
}

describe('deliver', () => {
  it('is delivered if the receiver responds with 204', async () => {
    const { send, record, posts, silences: timeouts } = await scene(async () => 204)
    await send()
    expect(await record()).toMatchObject({ state: 'delivered', attempts: 1, log: [{ status: 204 }] })
    expect(posts[0]).toMatchObject({
      callerHeaders: { 'x-own': 'yes' },
      headers: { 'content-type': 'application/json' },
    })
    expect(timeouts).toEqual([false])
  })

  it('schedules a retry if the receiver responds with 302', async () => {
    const { send, record, time } = await scene(async () => 302)
    await send()
    const error = 'The receiver answered 302; redirects are not followed.'
    const next = { state: 'waiting', next_at: time.now + minute, log: [{ status: 302, error }] }
    expect(await record()).toMatchObject(next)
  })

  it('fails after the last retry', async () => {
    const { send, record } = await scene(async () => 500)
    await send({ retryDelaysMs: [] })
    expect(await record()).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('times out if the receiver does not respond', async () => {
    const {
      send,
      record,
      silences: timeouts,
    } = await scene(async (signal) => {
      await once(signal, 'abort')
      throw signal.reason
    })
    await send()
    const error = 'The receiver did not answer within 0.05 s.'
    expect(await record()).toMatchObject({ state: 'waiting', log: [{ error }] })
    expect(timeouts).toEqual([true])
  })

  it('does not count an attempt that the stop of the service aborts', async () => {
    const {
      send,
      record,
      silences: timeouts,
      stopping,
    } = await scene(async (signal) => {
      stopping.abort(new Error('The service is stopping.'))
      throw signal.reason
    })
    await send()
    expect(await record()).toMatchObject({ state: 'waiting', attempts: 0, log: [] })
    expect(timeouts).toEqual([])
  })

  it('is signed if there is a secret', async () => {
    const { send, posts } = await scene(async () => 200)
    await send({ secret: 'secret' })
    const signature = expect.stringMatching(/^sha256=[0-9a-f]{64}$/)
    expect(posts[0]?.headers).toMatchObject({ 'x-service-signature': signature })
  })

  it('is signed with the time of each attempt', async () => {
    const { send, posts, time } = await scene(async () => 500)
    await send({ secret: 'secret' })
    time.now += 5 * minute
    await send({ secret: 'secret' })
    const seconds = posts.map(({ headers }) => /^t=(\d+),/.exec(headers['x-winnow-signature'] ?? '')?.[1])
    const last = Math.floor(time.now / 1000)
    expect(seconds).toEqual([String(last - 300), String(last)])
  })
})
