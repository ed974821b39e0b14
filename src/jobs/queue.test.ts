import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobKind, jobScene } from '../../test/jobs.ts'
import type { Team } from '../accounts/team.ts'
import { newId } from '../platform/ids.ts'
import { findJob, insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { claimForTeam } from '../store/jobs/leases.ts'
import { countChildren, endParent, listChildren } from '../store/jobs/parents.ts'
import { newJobRow } from './job.ts'
import { createQueue, type ParentJobRequest } from './queue.ts'

afterEach(endJobScenes)

async function scene(options: { balance?: number } = {}) {
  const jobs = await jobScene()
  const { store } = jobs
  const queue = createQueue(jobs.deps)
  const team = await jobs.team('team', options)
  const children = (pages: string[], owner = team) => ({
    kind: jobKind(),
    requests: pages.map((page) => jobs.order(owner, page, { price: 1 })),
  })
  const submit = (pages: string[], changes: Partial<ParentJobRequest<string>> = {}, owner: Team = team) => {
    const order = jobs.order<unknown>(owner, 'all')
    return queue.submitParent<string>({
      ...{
        kind: 'batch_scrape',
        request: order,
        children: children(pages, owner),
        idempotencyKey: undefined,
      },
      ...changes,
    })
  }
  const inputs = async (parent: JobRow, state: 'held' | 'queued' | 'running' | 'cancelled') => {
    const rows = await listChildren(store.query, { parentId: parent.id, state, skip: 0, limit: 100 })
    return rows.map(({ input }) => JSON.parse(input))
  }
  return { ...jobs, queue, team, newTeam: jobs.team, children, submit, inputs }
}

/** Collects the messages of a channel of the store from now on. */
function collectMessages(
  { store }: Awaited<ReturnType<typeof scene>>,
  channel: 'queued' | 'cancelled',
): string[] {
  const messages: string[] = []
  store.listen(channel, (message) => messages.push(message))
  return messages
}

describe('submitParent', () => {
  it('inserts a running parent and queued children in order', async () => {
    const { submit, inputs, store } = await scene()
    const parent = await submit(['a', 'b', 'c'])
    expect(await findJob(store.query, parent.id)).toMatchObject({ kind: 'batch_scrape', state: 'running' })
    expect(await inputs(parent, 'queued')).toEqual(['a', 'b', 'c'])
  })

  it('notifies listeners of queued jobs of its team', async () => {
    const jobs = await scene()
    const messages = collectMessages(jobs, 'queued')
    await jobs.submit(['a'])
    await expect.poll(() => messages).toEqual([jobs.team.id])
  })

  it('holds children beyond mostLiving', async () => {
    const { submit, inputs } = await scene()
    const parent = await submit(['a', 'b', 'c'], { maxActive: 2 })
    expect(await inputs(parent, 'queued')).toEqual(['a', 'b'])
    expect(await inputs(parent, 'held')).toEqual(['c'])
  })

  it('inserts nothing if the additional write fails', async () => {
    const { submit, store } = await scene()
    let parentId = ''
    const afterInsert = async (_: unknown, parent: JobRow) => {
      parentId = parent.id
      throw new Error('cannot be written')
    }
    await expect(submit(['a'], { afterInsert })).rejects.toThrow('cannot be written')
    expect(await findJob(store.query, parentId)).toBeUndefined()
  })

  it('throws CREDITS_EXHAUSTED if the team cannot pay in addition to its running jobs', async () => {
    const { submit } = await scene({ balance: 5 })
    await submit(['a', 'b', 'c'])
    const submission = submit(['d', 'e', 'f'])
    const detail = { neededCredits: 3, remainingCredits: 2 }
    await expect(submission).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED', detail })
    await submit(['d', 'e'])
  })

  it('accepts an idempotency key once per team', async () => {
    const { submit, newTeam } = await scene()
    const first = await submit(['a'], { idempotencyKey: 'key' })
    const error = { code: 'IDEMPOTENCY_KEY_REUSED', detail: { id: first.id } }
    await expect(submit(['a'], { idempotencyKey: 'key' })).rejects.toMatchObject(error)
    const other = await submit(['a'], { idempotencyKey: 'key' }, await newTeam('other'))
    expect(other.id).not.toBe(first.id)
  })

  it('accepts an idempotency key once for two concurrent calls', async () => {
    const { submit } = await scene()
    const calls = await Promise.allSettled([1, 2].map(() => submit(['a'], { idempotencyKey: 'key' })))
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('submitMore', () => {
  it('adds children to a running parent, and holds those beyond mostLiving', async () => {
    const { submit, queue, children, inputs } = await scene()
    const parent = await submit(['a'])
    const more = { children: children(['b', 'c']), maxActive: 2, idempotencyKey: undefined }
    await queue.submitMore(parent, more)
    expect(await inputs(parent, 'queued')).toEqual(['a', 'b'])
    expect(await inputs(parent, 'held')).toEqual(['c'])
  })

  it('reopens a completed parent', async () => {
    const { submit, queue, children, store } = await scene()
    const parent = await submit([])
    await endParent(store.query, parent.id, { state: 'completed', error: undefined, now: 1 })
    await queue.submitMore(parent, { children: children(['a']), idempotencyKey: undefined })
    expect(await findJob(store.query, parent.id)).toMatchObject({ state: 'running', finished_at: null })
  })

  it('throws for a cancelled parent', async () => {
    const { submit, queue, children } = await scene()
    const parent = await submit(['a'])
    await queue.cancel(parent)
    const submission = queue.submitMore(parent, { children: children(['b']), idempotencyKey: undefined })
    await expect(submission).rejects.toMatchObject({ code: 'JOB_ALREADY_ENDED' })
  })

  it('throws if the team cannot pay', async () => {
    const { submit, queue, children, store } = await scene({ balance: 2 })
    const parent = await submit(['a'])
    const submission = queue.submitMore(parent, { children: children(['b', 'c']), idempotencyKey: undefined })
    await expect(submission).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
    expect(await countChildren(store.query, parent.id)).toMatchObject({ queued: 1 })
  })
})

describe('find', () => {
  it('finds a job by its id, in either case, and its kind', async () => {
    const { submit, queue, team } = await scene()
    const parent = await submit(['a'])
    expect(await queue.find(team, parent.id.toUpperCase(), 'batch_scrape')).toMatchObject({ id: parent.id })
    await expect(queue.find(team, parent.id, 'crawl')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('throws JOB_NOT_FOUND for an unknown id and INVALID_JOB_ID for a malformed one', async () => {
    const { queue, team } = await scene()
    await expect(queue.find(team, newId(), 'crawl')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    await expect(queue.find(team, '../a', 'crawl')).rejects.toMatchObject({ code: 'INVALID_JOB_ID' })
  })

  it('throws FORBIDDEN for another team, and JOB_NOT_FOUND in findOwn', async () => {
    const { submit, queue, ...jobs } = await scene()
    const { id } = await submit(['a'])
    const other = await jobs.newTeam('other')
    await expect(queue.find(other, id, 'batch_scrape')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(queue.findOwn(other, id, 'batch_scrape')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    expect(await queue.findOwn(jobs.team, id, 'batch_scrape')).toMatchObject({ id })
  })
})

describe('resultOf', () => {
  it('returns the result of the row or the blob', async () => {
    const { submit, queue, deps } = await scene()
    const row = await submit([])
    const blob = await deps.blobs.put('results/a', Buffer.from('{"in":"blob"}'))
    const results = [{ ...row, result: '{"in":"row"}' }, { ...row, result_blob: blob }, row]
    const read = results.map(async (ended) => (await queue.resultOf(ended))?.value())
    expect(await Promise.all(read)).toEqual([{ in: 'row' }, { in: 'blob' }, undefined])
  })

  it('throws if the blob is missing, and returns undefined if the job is removed too', async () => {
    const { submit, queue } = await scene()
    const row = await submit([])
    const missing = { ...row, result_blob: 'results/missing' }
    await expect(queue.resultOf(missing)).rejects.toMatchObject({
      ...{ code: 'STORED_DATA_DAMAGED', detail: { reason: 'missing' } },
    })
    expect(await queue.resultOf({ ...missing, id: 'removed' })).toBeUndefined()
  })
})

describe('cancel', () => {
  it('cancels the parent and its children, erases their inputs and notifies processes', async () => {
    const jobs = await scene()
    const { submit, inputs, queue, store, team, holder } = jobs
    const parent = await submit(['a', 'b', 'c'], { maxActive: 2 })
    const claim = { teamId: team.id, limit: 1, concurrency: 10, lease: holder.lease() }
    const [running] = await claimForTeam(store, claim)
    const messages = collectMessages(jobs, 'cancelled')
    await queue.cancel(parent)
    expect(await findJob(store.query, parent.id)).toMatchObject({ state: 'cancelled', credits: 0 })
    expect(await inputs(parent, 'cancelled')).toEqual([{}, {}, {}])
    await expect.poll(() => messages).toEqual([parent.id, running?.id])
  })

  it('releases the reserved credits', async () => {
    const { submit, queue } = await scene({ balance: 1 })
    await queue.cancel(await submit(['a']))
    expect(await submit(['a'])).toMatchObject({ state: 'running' })
  })

  it('succeeds once for two concurrent calls', async () => {
    const { submit, queue } = await scene()
    const parent = await submit(['a'])
    const calls = await Promise.allSettled([queue.cancel(parent), queue.cancel(parent)])
    expect(calls).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'JOB_ALREADY_ENDED' } }])
    await expect(queue.cancel({ ...parent, state: 'cancelled' })).rejects.toMatchObject({
      code: 'JOB_ALREADY_ENDED',
    })
  })
})

describe('answerOf', () => {
  async function answerOf(changes: Partial<JobRow>) {
    const { queue, team, order, store, time } = await scene()
    const row = newJobRow({ kind: 'scrape', takesSlot: true }, order(team, 'page'), time.now)
    await insertJobs(store.query, [{ ...row, ...changes }])
    return queue.answerOf(team, row.id, 'scrape')
  }

  it('returns the stored result, and throws if none was stored', async () => {
    const stored = await answerOf({ state: 'completed', finished_at: 1, result: '{"markdown":"Text"}' })
    expect(await stored.value()).toEqual({ markdown: 'Text' })
    const withoutResult = answerOf({ state: 'completed', finished_at: 1 })
    await expect(withoutResult).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('throws JOB_NOT_FINISHED for a running job, and JOB_NOT_FOUND for a failed one', async () => {
    await expect(answerOf({ state: 'running' })).rejects.toMatchObject({ code: 'JOB_NOT_FINISHED' })
    const error = '{"code":"SCRAPE_TIMEOUT","error":"Too slow.","detail":{}}'
    await expect(answerOf({ state: 'failed', finished_at: 1, error })).rejects.toMatchObject({
      ...{ code: 'JOB_NOT_FOUND', detail: { reason: 'SCRAPE_TIMEOUT' } },
      message: 'The scrape failed, so it has no result: Too slow.',
    })
  })
})
