import type { Guard } from '../../fetch/network/guard.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import type { StoredError } from '../../platform/errors.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import {
  type DeliveryRow,
  findWebhooks,
  insertDeliveries,
  insertWebhook,
  type WebhookRow,
} from '../../store/deliveries.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable } from '../../store/schema.ts'
import { isEventName, isSubscribed, noAttempts, writeWebhook } from './delivery.ts'
import type { EventName, Webhook } from './schema.ts'

/** Remembers where a job tells its events, and tells that it started; in the transaction that submits it. */
export async function registerWebhook(query: Queryable, parent: JobRow, webhook: Webhook): Promise<void> {
  const row: WebhookRow = { ...writeWebhook(webhook), job_id: parent.id, kind: parent.kind }
  await insertWebhook(query, row)
  if (isSubscribed(row, 'started'))
    await insertDeliveries(query, [
      deliveryOf(row, { teamId: parent.team_id, event: 'started', now: parent.created_at }),
    ])
}

/** Tells of pages that ended; in the transaction that ends them. */
export async function enqueuePageEvents(query: Queryable, ended: EndedChild[]): Promise<void> {
  const leaves = ended.filter(({ row }) => row.kind === 'scrape')
  const parents = new Set(leaves.flatMap(({ row }) => row.parent_id ?? []))
  const webhooks = new Map(
    (await findWebhooks(query, [...parents])).map((webhook) => [webhook.job_id, webhook]),
  )
  const rows = leaves.flatMap(({ row, ending }) => {
    const webhook = webhooks.get(row.parent_id ?? '')
    if (!webhook || !tellsOfPages(webhook) || ending.state === 'cancelled' || isNoPage(ending)) return []
    const told = { teamId: row.team_id, event: 'page' as const, error: ending.error, now: ending.now }
    return [{ ...deliveryOf(webhook, told), child_id: row.id }]
  })
  await insertDeliveries(query, rows)
}

/** The result of an extract is one value, and only receivers that ask for its pages get them. */
function tellsOfPages(webhook: WebhookRow): boolean {
  if (webhook.kind === 'agent') return false
  return webhook.kind === 'extract' ? isEventName(webhook, 'page') : isSubscribed(webhook, 'page')
}

/** What was read for its links alone is no page of its crawl. */
function isNoPage({ error }: EndedChild['ending']): boolean {
  return error?.code === 'CRAWL_START_LEFT_OUT'
}

/** Tells how a job ended; in the transaction that ends it. */
export async function enqueueEndEvent(
  query: Queryable,
  parent: JobRow,
  end: ParentEnd & { now: number },
): Promise<void> {
  const [webhook] = await findWebhooks(query, [parent.id])
  if (webhook && isSubscribed(webhook, end.state)) {
    const told = { teamId: parent.team_id, event: end.state, error: end.error, now: end.now }
    await insertDeliveries(query, [{ ...deliveryOf(webhook, told), child_id: bearerOf(parent, end) }])
  }
}

/** The end of these says what the job came to, which is read when it is sent. */
function bearerOf({ id, kind }: JobRow, { state }: ParentEnd): string | null {
  return kind === 'agent' || (kind === 'extract' && state === 'completed') ? id : null
}

/** Tells of something that a job did; in the transaction that records it. */
export async function enqueueActionEvent(query: Queryable, action: JobRow, now: number): Promise<void> {
  const [webhook] = await findWebhooks(query, [action.parent_id ?? ''])
  if (!webhook || !isSubscribed(webhook, 'action')) return
  const told = { teamId: action.team_id, event: 'action' as const, now }
  await insertDeliveries(query, [{ ...deliveryOf(webhook, told), child_id: action.id }])
}

/** An event to see whether a receiver works; it belongs to no job. Answers the id of its delivery. */
export async function enqueueTestEvent(
  query: Queryable,
  test: { teamId: string; webhook: Webhook; now: number },
): Promise<string> {
  const row = { ...writeWebhook(test.webhook), job_id: newId(), kind: 'webhook' }
  await insertWebhook(query, row)
  const delivery = deliveryOf(row, { teamId: test.teamId, event: 'test', now: test.now })
  await insertDeliveries(query, [delivery])
  return delivery.id
}

const stages: Record<string, number> = { started: 0, page: 1, action: 1, test: 1 }

interface Told {
  teamId: string
  event: EventName | 'test'
  error?: StoredError | undefined
  now: number
}

function deliveryOf(webhook: WebhookRow, { teamId, event, error, now }: Told): DeliveryRow {
  return {
    id: newId(),
    team_id: teamId,
    job_id: webhook.job_id,
    child_id: null,
    event: `${webhook.kind}.${event}`,
    stage: stages[event] ?? 2,
    error: error?.error ?? null,
    state: 'waiting',
    attempts: 0,
    next_at: now,
    lease_until: 0,
    log: noAttempts,
    created_at: now,
    finished_at: null,
  }
}

/**
 * Refuses a webhook that could never be delivered, as its address may not be contacted. Each delivery is checked again: a name
 * may lead elsewhere by then, and one that does not resolve yet may do so then.
 */
export async function checkReceiver(guard: Guard, webhook: Webhook | undefined): Promise<void> {
  if (!webhook) return
  const { hostname, port, protocol } = new URL(webhook.url)
  try {
    await guard.resolve(hostname, Number(port || (protocol === 'https:' ? 443 : 80)))
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'TARGET_FORBIDDEN') return
    const detail = { ...thrown.detail, option: 'webhook', phase: 'webhook' }
    throw new AppError('TARGET_FORBIDDEN', detail, { message, cause: thrown })
  }
}

const message =
  'The address of the webhook is private, local or reserved, so it is not contacted. The operator can allow it by ALLOW_PRIVATE_NETWORK.'
