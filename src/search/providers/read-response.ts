import type { z } from 'zod'
import { ProviderFailure, type ProviderProblem, type ProviderResponse } from './provider.ts'

export function throwForStatus({ status, headers, body }: ProviderResponse, name: string): void {
  if (status >= 200 && status < 300) return
  const bodyText = body
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const reason = `${name} answered ${status}`
  // The body is omitted, because it may quote the key of the operator.
  if (status === 401) throw new ProviderFailure('unauthorized', reason)
  throw new ProviderFailure(toProblem(status), reason, {
    responseText: bodyText.slice(0, 200),
    retryAfter: toRetryDelay(Number(headers['retry-after'])),
    isForAll: status === 429,
  })
}

/** Any other status from 400 to 499 concerns the request, not the provider. */
function toProblem(status: number): ProviderProblem {
  if (status === 429) return 'rate-limited'
  if (status === 403) return 'blocked'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}

const maxRetryMs = 3_600_000

export const toRetryDelay = (seconds: number) =>
  seconds >= 0 ? Math.min(seconds * 1000, maxRetryMs) : undefined

export function readJsonResponse<Schema extends z.ZodType>(
  response: ProviderResponse,
  schema: Schema,
  name: string,
): z.output<Schema> {
  throwForStatus(response, name)
  let value: unknown
  try {
    value = JSON.parse(response.body)
  } catch {
    throw new ProviderFailure('changed', `${name} answered with something that is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const location = issue?.path.join('.') || 'its top'
  throw new ProviderFailure('changed', `${name} answered in a shape that is not known here (at ${location})`)
}

export function dateOf(text: string | null | undefined): number | undefined {
  const date = Date.parse(text ?? '')
  return Number.isNaN(date) ? undefined : date
}

export function isWebUrl(text: string | null | undefined): text is string {
  const protocol = URL.parse(text ?? '')?.protocol
  return protocol === 'http:' || protocol === 'https:'
}
