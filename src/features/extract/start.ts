import type { Team } from '../../accounts/team.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { isUrl } from '../../base/url.ts'
import type { BackgroundKind } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import { openWebhook } from '../../webhooks/outbox.ts'
import type { ExtractRequest } from './schema.ts'
import type { ExtractInput, FindInput } from './stored.ts'

export interface ExtractNeeds {
  queue: Queue
  clock: Clock
  find: BackgroundKind<FindInput, unknown>
  /** Whether a language model is configured. */
  hasModel: boolean
}

const day = 24 * 3600_000

export interface ExtractOrder {
  request: ExtractRequest
  /** The most that a page can cost. */
  price: number
  idempotencyKey: string | undefined
}

/** A request → an extract with the job that looks for its pages, acknowledged together. */
export async function startExtract(
  needs: ExtractNeeds,
  team: Team,
  order: ExtractOrder,
): Promise<{ id: string; invalidURLs: string[] }> {
  const { request } = order
  if (request.schema === undefined && !needs.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const urls = request.urls.filter((url) => isUrl(withoutStar(url)))
  const invalidURLs = request.urls.filter((url) => !isUrl(withoutStar(url)))
  refuseInvalid(request, { urls, invalidURLs })
  const now = needs.clock.now()
  const common = { team, origin: request.origin, retain: true, deadlineAt: now + 2 * day }
  // Pages have the deadline of their parent.
  const deadlineAt = now + Math.min(request.timeout ?? 2 * day, 2 * day)
  const { webhook, ...kept } = request
  const parent = await needs.queue.submitParent<FindInput>({
    kind: 'extract',
    order: {
      ...{ ...common, deadlineAt, price: 0, target: targetOf(request, urls) },
      input: recordOf(request, { urls, needs }),
    },
    children: {
      kind: needs.find,
      orders: [
        {
          ...{ ...common, target: null },
          input: { request: { ...kept, urls }, price: order.price, mostLiving: 2 * team.concurrency },
          // The team must have this much for the pages that are named; what else is found is read as far as credits reach.
          price: order.price * Math.max(1, urls.length),
        },
      ],
    },
    idempotencyKey: order.idempotencyKey,
    async also(transaction, row) {
      if (webhook) await openWebhook(transaction, row, webhook)
    },
  })
  return { id: parent.id, invalidURLs }
}

export function withoutStar(url: string): string {
  return url.endsWith('/*') ? url.slice(0, -2) : url
}

function refuseInvalid(
  { ignoreInvalidURLs, urls: given }: ExtractRequest,
  { urls, invalidURLs }: { urls: string[]; invalidURLs: string[] },
): void {
  if (given.length > 0 && urls.length === 0) throw new AppError('NO_VALID_URLS', { invalidURLs })
  if (invalidURLs.length === 0 || ignoreInvalidURLs) return
  const message = 'Some URLs are not valid. Remove them, or set ignoreInvalidURLs: true to skip them.'
  throw new AppError('BAD_URL', { invalidURLs }, { message })
}

const targetOf = ({ prompt }: ExtractRequest, urls: string[]) => urls[0] ?? prompt?.slice(0, 200) ?? null

/** What the record says of the request, with what the caller should know of options that do nothing here. */
function recordOf(
  request: ExtractRequest,
  { urls, needs }: { urls: string[]; needs: ExtractNeeds },
): ExtractInput {
  const { prompt, schema, systemPrompt, showSources, urlTrace } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  const words =
    prompt === undefined ? 'systemPrompt' : systemPrompt === undefined ? 'prompt' : 'prompt and systemPrompt'
  const warnings = [
    ...(request.agent ? ['agent has no effect here: POST /v2/agent looks for pages by itself.'] : []),
    ...(request.allowExternalLinks && !hasSite
      ? ['allowExternalLinks has no effect: no URL ends in /*.']
      : []),
    ...(request.scrapeOptions?.formats.length
      ? ['scrapeOptions.formats has no effect: each page is read for the values of the schema.']
      : []),
    ...((prompt !== undefined || systemPrompt !== undefined) && !needs.hasModel
      ? [`No language model is configured, so ${words} did not change what was read.`]
      : []),
  ]
  return {
    ...{ urls, schema, showSources, urlTrace, warnings },
    ...(prompt === undefined ? {} : { prompt }),
    ...(request.integration ? { integration: request.integration } : {}),
  }
}
