import type { Team } from '../../accounts/team.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { isUrl } from '../../base/url.ts'
import type { BackgroundKind } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Store } from '../../store/schema.ts'
import { openWebhook } from '../../webhooks/outbox.ts'
import type { AgentRequest } from './schema.ts'
import type { AgentInput, StepInput } from './stored.ts'
import { mostTurns, runsOfThread } from './threads.ts'

export interface AgentNeeds {
  store: Store
  queue: Queue
  clock: Clock
  step: BackgroundKind<StepInput, unknown>
  hasModel: boolean
}

const day = 24 * 3600_000

export interface StartedAgent {
  id: string
  threadId: string
  threadTurn: number
  warnings: string[]
}

/** A request → an agent with its first step, acknowledged together. */
export async function startAgent(
  needs: AgentNeeds,
  team: Team,
  order: { request: AgentRequest; price: number; idempotencyKey: string | undefined },
): Promise<StartedAgent> {
  const { webhook, ...request } = order.request
  if (!needs.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const invalidURLs = request.urls.filter((url) => !isUrl(url.replace(/\/\*$/, '')))
  if (invalidURLs.length > 0) throw new AppError('BAD_URL', { invalidURLs })
  if (request.strictConstrainToURLs && request.urls.length === 0) {
    const message = 'strictConstrainToURLs needs urls: without any, nothing may be read.'
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  const id = newId()
  const thread = await threadOf(needs, team, { id, threadId: request.threadId })
  const warnings = warningsOf(request)
  const common = {
    ...{ team, origin: request.origin, retain: true, deadlineAt: needs.clock.now() + 2 * day },
  }
  const input: AgentInput = {
    ...{ request, ...thread, price: order.price, mostLiving: 2 * team.concurrency, warnings },
  }
  const target = request.urls[0] ?? request.prompt.slice(0, 200)
  await needs.queue.submitParent<StepInput>({
    kind: 'agent',
    order: { ...common, id, input, target, price: 0 },
    children: {
      kind: needs.step,
      orders: [{ ...common, input: { step: 0 }, target: null, price: order.price }],
    },
    idempotencyKey: order.idempotencyKey,
    async also(transaction, row) {
      if (webhook) await openWebhook(transaction, row, webhook)
    },
  })
  return { id, ...thread, warnings }
}

/** A thread is known by the id of its first run. */
async function threadOf(
  needs: AgentNeeds,
  team: Team,
  { id, threadId }: { id: string; threadId: string | undefined },
): Promise<{ threadId: string; threadTurn: number }> {
  if (threadId === undefined) return { threadId: id, threadTurn: 1 }
  const runs = await runsOfThread(needs, team.id, threadId)
  const last = runs.at(-1)
  if (!last) throw new AppError('JOB_NOT_FOUND')
  if (last.row.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  if (runs.length >= mostTurns) {
    const message = `A thread has at most ${mostTurns} runs. Start another.`
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  return { threadId: last.input.threadId, threadTurn: last.input.threadTurn + 1 }
}

function warningsOf({ model, exchange }: Pick<AgentRequest, 'model' | 'exchange'>): string[] {
  return [
    ...(model === undefined ? [] : ['model has no effect: the language model of this installation is used.']),
    ...(exchange === undefined ? [] : ['exchange has no effect: there are no paid providers here.']),
  ]
}
