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

/** One delivery that was claimed, and a receiver that answers by `answer`. */
async function scene(answer: (signal: AbortSignal) => Promise<number>) {
  const { store, deps: jobs, team: newTeam, time } = await jobScene()
  const team = await newTeam('team')
  // Of a job, the outbox reads these alone.
  const job = { id: 'job', team_id: team.id, kind: 'crawl', created_at: time.now } as JobRow
  await registerWebhook(store.query, job, { url: 'https://a.example/hook', headers: { 'x-own': 'yes' } })
  const claim = { jobId: job.id, most: 1, now: time.now, leaseUntil: time.now + 1 }
  const [row = expect.unreachable()] = await claimDeliveries(store, claim)
  const posts: PostRequest[] = []
  const poster = {
    post: (request: PostRequest, signal: AbortSignal) => {
      posts.push(request)
      return answer(signal)
    },
    close: async () => {},
  }
  const deps = { store, clock: jobs.clock, poster, documentOf: async () => ({}), retryAfter: [minute] }
  const stopping = new AbortController()
  const silences: boolean[] = []
  const how = { patience: 50, heard: (isSilent: boolean) => silences.push(isSilent) }
  return {
    ...{ store, posts, silences, stopping, row, time },
    send: (changes: object = {}) =>
      deliver({ ...deps, ...changes }, row, { ...how, stopping: stopping.signal }),
    async record() {
      const all = { jobId: undefined, state: undefined, before: undefined, limit: 9 }
      const [found] = await listDeliveries(store.query, { teamId: team.id, ...all })
      const log = JSON.parse(found?.log ?? '[]') as { status?: number; error?: string }[]
      return { state: found?.state, attempts: found?.attempts, next_at: found?.next_at, log }
    },
  }
}

describe('one attempt at a delivery', () => {
  it('is the last where the receiver takes it', async () => {
    const { send, record, posts, silences } = await scene(async () => 204)
    await send()
    expect(await record()).toMatchObject({ state: 'delivered', attempts: 1, log: [{ status: 204 }] })
    expect(posts[0]).toMatchObject({
      callerHeaders: { 'x-own': 'yes' },
      headers: { 'content-type': 'application/json' },
    })
    expect(silences).toEqual([false])
  })

  it('is followed by another, later, where the receiver does not take it', async () => {
    const { send, record, time } = await scene(async () => 302)
    await send()
    const error = 'The receiver answered 302; redirects are not followed.'
    const next = { state: 'waiting', next_at: time.now + minute, log: [{ status: 302, error }] }
    expect(await record()).toMatchObject(next)
  })

  it('is the last where there are no more', async () => {
    const { send, record } = await scene(async () => 500)
    await send({ retryAfter: [] })
    expect(await record()).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('ends when the receiver says nothing for too long', async () => {
    const { send, record, silences } = await scene(async (signal) => {
      await once(signal, 'abort')
      throw signal.reason
    })
    await send()
    const error = 'The receiver did not answer within 0.05 s.'
    expect(await record()).toMatchObject({ state: 'waiting', log: [{ error }] })
    expect(silences).toEqual([true])
  })

  it('does not count where the service stops meanwhile', async () => {
    const { send, record, silences, stopping } = await scene(async (signal) => {
      stopping.abort(new Error('The service is stopping.'))
      throw signal.reason
    })
    await send()
    expect(await record()).toMatchObject({ state: 'waiting', attempts: 0, log: [] })
    expect(silences).toEqual([])
  })

  it('is signed where there is a secret', async () => {
    const { send, posts } = await scene(async () => 200)
    await send({ secret: 'secret' })
    const signature = expect.stringMatching(/^sha256=[0-9a-f]{64}$/)
    expect(posts[0]?.headers).toMatchObject({ 'x-service-signature': signature })
  })

  it('is signed with its own time', async () => {
    const { send, posts, time } = await scene(async () => 500)
    await send({ secret: 'secret' })
    time.now += 5 * minute
    await send({ secret: 'secret' })
    const seconds = posts.map(({ headers }) => /^t=(\d+),/.exec(headers['x-winnow-signature'] ?? '')?.[1])
    const last = Math.floor(time.now / 1000)
    expect(seconds).toEqual([String(last - 300), String(last)])
  })
})
