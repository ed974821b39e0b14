import type { Guard } from '../../fetch/network/guard.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import { AppError, type StoredError } from '../../platform/errors.ts'
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
import { isNamedEvent, isSubscribed, noAttempts, writeWebhook } from './delivery.ts'
import type { EventName, Webhook } from './schema.ts'

/** Stores the webhook of a job and enqueues its start event. Call it in the transaction that submits the job. */
export async function registerWebhook(query: Queryable, parent: JobRow, webhook: Webhook | undefined) {
  if (!webhook) return
  const row: WebhookRow = { ...writeWebhook(webhook), job_id: parent.id, kind: parent.kind }
  await insertWebhook(query, row)
  if (!isSubscribed(row, 'started')) return
  const details = { teamId: parent.team_id, event: 'started' as const, now: parent.created_at }
  await insertDeliveries(query, [deliveryOf(row, details)])
}

/** Enqueues events of ended pages. Call it in the transaction that ends them. */
export async function enqueuePageEvents(query: Queryable, ended: EndedChild[]): Promise<void> {
  const pages = ended.filter(({ row }) => row.kind === 'scrape')
  const parents = new Set(pages.flatMap(({ row }) => row.parent_id ?? []))
  const found = await findWebhooks(query, [...parents])
  const webhooks = new Map(found.map((webhook) => [webhook.job_id, webhook]))
  const rows = pages.flatMap(({ row, ending }) => {
    const webhook = webhooks.get(row.parent_id ?? '')
    // A start page that was read only for its links is not a page of the crawl.
    const isLeftOut = ending.state === 'cancelled' || ending.error?.code === 'CRAWL_START_LEFT_OUT'
    if (!webhook || !isPageSubscribed(webhook) || isLeftOut) return []
    const { error, now } = ending
    return [deliveryOf(webhook, { teamId: row.team_id, event: 'page', error, now, childId: row.id })]
  })
  await insertDeliveries(query, rows)
}

/** The result of an extract is one value, so its webhook receives page events only if it names them. */
function isPageSubscribed(webhook: WebhookRow): boolean {
  if (webhook.kind === 'agent') return false
  return webhook.kind === 'extract' ? isNamedEvent(webhook, 'page') : isSubscribed(webhook, 'page')
}

/** Enqueues the end event of a job. Call it in the transaction that ends the job. */
export async function enqueueEndEvent(query: Queryable, parent: JobRow, end: ParentEnd & { now: number }) {
  const { id, kind, team_id: teamId } = parent
  const { state, error, now } = end
  const [webhook] = await findWebhooks(query, [id])
  if (!webhook || !isSubscribed(webhook, state)) return
  const childId = kind === 'agent' || (kind === 'extract' && state === 'completed') ? id : null
  await insertDeliveries(query, [deliveryOf(webhook, { teamId, event: state, error, now, childId })])
}

/** Enqueues the event of an action of a job. Call it in the transaction that records the action. */
export async function enqueueActionEvent(query: Queryable, action: JobRow, now: number): Promise<void> {
  const [webhook] = await findWebhooks(query, [action.parent_id ?? ''])
  if (!webhook || !isSubscribed(webhook, 'action')) return
  const details = { teamId: action.team_id, event: 'action' as const, now, childId: action.id }
  await insertDeliveries(query, [deliveryOf(webhook, details)])
}

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

interface EventDetails {
  teamId: string
  event: EventName | 'test'
  error?: StoredError | undefined
  now: number
  childId?: string | null
}

function deliveryOf(webhook: WebhookRow, details: EventDetails): DeliveryRow {
  const { teamId, event, error, now, childId = null } = details
  return {
    id: newId(),
    team_id: teamId,
    job_id: webhook.job_id,
    child_id: childId,
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

/** Each delivery checks the URL again, because DNS results can change. A host that does not resolve is accepted. */
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
