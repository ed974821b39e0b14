import type { Team } from '../accounts/team.ts'
import type { Queue } from '../jobs/queue.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import {
  type DeliveryRow,
  findDelivery,
  findWebhooks,
  listDeliveries,
  replayDelivery,
} from '../store/deliveries.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { findJob } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import type { Deps } from './needs.ts'
import { childDocument } from './parent-status.ts'
import { pageOf } from './present.ts'
import { type Delivery, type DeliveryDetails, payloadOf, toDeliveryResponse } from './webhooks/delivery.ts'
import { enqueueTestEvent } from './webhooks/outbox.ts'
import type { Webhook } from './webhooks/schema.ts'

interface DeliveryDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Pick<Queue, 'checkedResultOf'>
}

type DeliveryQuery = Omit<Parameters<typeof listDeliveries>[1], 'teamId' | 'before'>

export async function listTeamDeliveries(
  { store }: DeliveryDeps,
  team: Team,
  { cursor: before, limit, ...filter }: DeliveryQuery & { cursor?: string | undefined },
) {
  const query = { ...filter, teamId: team.id, before, limit: limit + 1 }
  const { shown, cursor } = pageOf(await listDeliveries(store.query, query), limit)
  return { deliveries: shown.map(toDeliveryResponse), cursor }
}

async function getTeamDelivery(store: Store, team: Team, id: string): Promise<DeliveryRow> {
  const row = isUuid(id) ? await findDelivery(store.query, id.toLowerCase()) : undefined
  if (!row || row.team_id !== team.id) throw new AppError('DELIVERY_NOT_FOUND')
  return row
}

export async function deliveryDetails(
  { store }: DeliveryDeps,
  { team, id }: { team: Team; id: string },
  documentOf: (row: DeliveryRow) => Promise<unknown>,
): Promise<DeliveryDetails> {
  const row = await getTeamDelivery(store, team, id)
  const [webhook] = await findWebhooks(store.query, [row.job_id])
  const sent = webhook && { url: webhook.url, payload: await payloadOf(webhook, row, documentOf) }
  return { ...toDeliveryResponse(row), ...sent }
}

export async function replay({ store, clock }: DeliveryDeps, team: Team, id: string): Promise<Delivery> {
  const row = await getTeamDelivery(store, team, id)
  const now = clock.now()
  await replayDelivery(store.query, row.id, now)
  store.notify('deliveries', '')
  return toDeliveryResponse({ ...row, state: 'waiting', next_at: now })
}

export async function fireTest({ store, clock }: DeliveryDeps, team: Team, webhook: Webhook) {
  const test = { teamId: team.id, webhook, now: clock.now() }
  const id = await store.transaction((transaction) => enqueueTestEvent(transaction, test))
  store.notify('deliveries', '')
  return id
}

export async function documentOf(deps: DeliveryDeps, row: DeliveryRow): Promise<unknown> {
  const job = row.child_id === null ? undefined : await findJob(deps.store.query, row.child_id)
  const result = job && (await childDocument(deps.queue, job))
  if (result !== undefined) return result
  const error = readError(job?.error ?? null)
  return {
    metadata: {
      ...(job?.target ? { sourceURL: job.target, url: job.target } : {}),
      ...(row.child_id === null ? {} : { scrapeId: row.child_id }),
      error: error?.error ?? 'The document of this page is not kept any more.',
      ...(error ? { code: error.code } : {}),
    },
  }
}
