import type { z } from 'zod'
import { type ProviderAnswer, ProviderFailure, type ProviderProblem } from './provider.ts'

/** Throws for a status that is not success, by what it usually means. */
export function throwForStatus({ status, headers, body }: ProviderAnswer, name: string): void {
  if (status >= 200 && status < 300) return
  const said = body
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  const reason = `${name} answered ${status}`
  // It may quote the key, which is the operator's.
  if (status === 401) throw new ProviderFailure('unauthorized', reason)
  const isForAll = status === 429
  throw new ProviderFailure(problemOf(status), reason, { said, retryAfter: retryAfter(headers), isForAll })
}

/** Any other status between 400 and 500 is about the request, not about the provider. */
function problemOf(status: number): ProviderProblem {
  if (status === 429) return 'rate-limited'
  if (status === 403) return 'blocked'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}

const longestRetry = 3_600_000

function retryAfter(headers: Record<string, string>): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, longestRetry) : undefined
}

/** The JSON of an answer in the shape that is known here. */
export function readJsonResponse<Schema extends z.ZodType>(
  answer: ProviderAnswer,
  schema: Schema,
  name: string,
): z.output<Schema> {
  throwForStatus(answer, name)
  let value: unknown
  try {
    value = JSON.parse(answer.body)
  } catch {
    throw new ProviderFailure('changed', `${name} answered with something that is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  throw new ProviderFailure(
    'changed',
    `${name} answered in a shape that is not known here (at ${at || 'its top'})`,
  )
}

/** A date as services write it; undefined where it is none. */
export function dateOf(text: string | null | undefined): number | undefined {
  const date = Date.parse(text ?? '')
  return Number.isNaN(date) ? undefined : date
}

/** An http or https address, as it is written. */
export function isWebAddress(address: string | null | undefined): address is string {
  const protocol = URL.parse(address ?? '')?.protocol
  return protocol === 'http:' || protocol === 'https:'
}
