import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { PostRequest } from '../../fetch/network/post.ts'
import { silentLog } from '../../platform/log.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { listDeliveries } from '../../store/deliveries.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { migrate } from '../../store/migrate.ts'
import type { Tables } from '../../store/schema.ts'
import { createTeam } from '../../store/teams.ts'
import { startDeliverer } from './deliverer.ts'
import { enqueueEndEvent, enqueueTestEvent, registerWebhook } from './outbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-deliverer-'))
afterAll(() => rmSync(folder, { recursive: true }))

const minute = 60_000

/**
 * Creates an outbox and a deliverer with a controlled clock. The receiver responds with the given statuses, then with
 * 200.
 */
async function scene(statuses: number[] = [], isTimeout: (url: URL) => boolean = () => false) {
  const store = sqliteDatabase<Tables>(join(folder, `${Math.random()}.sqlite`))
  await migrate(store)
  const team = await createTeam(store.query, { name: 'team', balance: null, now: 0 })
  const time = { now: 1_000_000 }
  const sent: { at: number; id: string; type: string }[] = []
  const poster = {
    async post({ url, body }: PostRequest, signal: AbortSignal) {
      const { webhookId, type } = JSON.parse(Buffer.from(body).toString())
      sent.push({ at: time.now, id: webhookId, type })
      if (isTimeout(url)) await once(signal, 'abort')
      return statuses.shift() ?? 200
    },
    close: async () => {},
  }
  const deliverer = startDeliverer({
    ...{ store, poster, log: silentLog, clock: { now: () => time.now, sleep: async () => {} } },
    documentOf: async () => ({}),
    retryDelaysMs: [minute, 5 * minute, 15 * minute],
  })
  // The outbox reads only these columns of the job.
  const job = { id: 'job', team_id: team.id, kind: 'crawl', created_at: time.now } as JobRow
  const log = () =>
    listDeliveries(store.query, {
      teamId: team.id,
      jobId: undefined,
      state: undefined,
      before: undefined,
      limit: 9,
    })
  return {
    ...{ store, time, sent, job, log, team },
    look: () => store.notify('deliveries', ''),
    stop: async () => {
      await deliverer.stop(100)
      await store.close()
    },
  }
}

const webhook = { url: 'https://a.example/hook', headers: {} }

describe('startDeliverer', () => {
  it('retries after 1, 5 and 15 minutes with the same id, and then gives up', async () => {
    const { store, time, sent, job, log, look, stop } = await scene([500, 500, 500, 500])
    await registerWebhook(store.query, job, webhook)
    for (const [tries, step] of [minute - 1, 1, 5 * minute - 1, 1, 15 * minute - 1, 1].entries()) {
      look()
      await expect.poll(() => sent.length).toBe(Math.floor(tries / 2) + 1)
      await expect.poll(async () => (await log())[0]?.attempts).toBe(sent.length)
      time.now += step
    }
    look()
    await expect.poll(async () => (await log())[0]?.state).toBe('failed')
    expect(sent.map(({ at }) => at - 1_000_000)).toEqual([0, minute, 6 * minute, 21 * minute])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    await stop()
  })

  it('sends the start event before the end event if both are due', async () => {
    const { store, sent, job, look, stop } = await scene()
    await store.transaction(async (transaction) => {
      await registerWebhook(transaction, job, webhook)
      await enqueueEndEvent(transaction, job, { state: 'completed', now: 1_000_000 })
    })
    look()
    await expect.poll(() => sent.map(({ type }) => type)).toEqual(['crawl.started', 'crawl.completed'])
    await stop()
  })

  it('sends the end event even if the start event was not accepted', async () => {
    const { store, sent, job, look, stop } = await scene([500])
    await store.transaction(async (transaction) => {
      await registerWebhook(transaction, job, webhook)
      await enqueueEndEvent(transaction, job, { state: 'failed', now: 1_000_000 })
    })
    look()
    await expect.poll(() => sent.map(({ type }) => type)).toEqual(['crawl.started', 'crawl.failed'])
    await stop()
  })

  it('sends nothing of a transaction that was rolled back', async () => {
    const { store, job, log, stop } = await scene()
    const rolledBack = store.transaction(async (transaction) => {
      await registerWebhook(transaction, job, webhook)
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    expect(await log()).toEqual([])
    await stop()
  })

  it('delivers for one team while another has 1000 events for an unresponsive receiver', async () => {
    const { store, sent, look, stop, team } = await scene([], ({ host }) => host.endsWith('silent.example'))
    const other = await createTeam(store.query, { name: 'other', balance: null, now: 0 })
    await store.transaction(async (transaction) => {
      for (let index = 0; index < 1000; index += 1) {
        const webhook = { url: `https://${index % 20}.silent.example/hook`, headers: {} }
        await enqueueTestEvent(transaction, { teamId: team.id, webhook, now: 1_000_000 })
      }
    })
    look()
    await expect.poll(() => sent.length).toBe(64)
    const id = await enqueueTestEvent(store.query, { teamId: other.id, webhook, now: 1_000_000 })
    look()
    await expect.poll(() => sent.some((delivery) => delivery.id === id)).toBe(true)
    await stop()
  })

  it('reserves permits for other receivers of a team', async () => {
    const { store, sent, look, stop, team } = await scene([], ({ host }) => host === 'silent.example')
    const unresponsive = { url: 'https://silent.example/hook', headers: {} }
    await store.transaction(async (transaction) => {
      for (let index = 0; index < 200; index += 1) {
        await enqueueTestEvent(transaction, { teamId: team.id, webhook: unresponsive, now: 1_000_000 })
      }
    })
    look()
    await expect.poll(() => sent.length).toBe(16)
    const id = await enqueueTestEvent(store.query, { teamId: team.id, webhook, now: 1_000_000 })
    look()
    await expect.poll(() => sent.some((delivery) => delivery.id === id), { timeout: 10_000 }).toBe(true)
    expect(sent).toHaveLength(17)
    await stop()
  })
})
