import { serviceError, UnexpectedResponseError, type WinnowError } from './errors.ts'

export type Json = Record<string, unknown>

/** Returns the JSON object of a successful response. Throws for any other response, also if its status is 2xx. */
export async function readResponse(response: Response, sentId: string): Promise<Json> {
  if (isRedirect(response)) throw createRedirectError(response, sentId)
  const text = await response.text()
  const value = parseObject(text)
  if (response.ok && value) return value
  throw createError(response, { text, value, sentId })
}

/** Returns the error of a response whose status is not 2xx. */
export async function readFailure(response: Response, sentId: string): Promise<WinnowError> {
  if (isRedirect(response)) return createRedirectError(response, sentId)
  const text = await response.text()
  return createError(response, { text, value: parseObject(text), sentId })
}

function createError(
  response: Response,
  { text, value, sentId }: { text: string; value: Json | undefined; sentId: string },
): WinnowError {
  const { status } = response
  const requestId = asString(value?.requestId) ?? response.headers.get('x-request-id') ?? sentId
  const retryAfter = asSeconds(value?.retryAfter) ?? parseRetryAfter(response.headers)
  const code = asString(value?.code)
  if (!value || code === undefined || response.ok) {
    return new UnexpectedResponseError({
      ...{ status, code: 'UNEXPECTED_ANSWER', requestId, retryAfter, body: value },
      message: `The answer (status ${status}) is not one of Winnow: ${excerpt(text)}`,
      hint: 'Check the base URL, and the proxies on the way to it.',
    })
  }
  return serviceError({
    ...{ status, code, requestId, retryAfter, body: value },
    message: asString(value.error) ?? code,
    phase: asString(value.phase),
    hint: asString(value.hint),
    jobId: asString(value.id),
    details: value.details,
  })
}

/** True if the response is a redirect. In browsers, a redirect that is not followed has neither a status nor a URL. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

/** Creates the error for a redirect. Following it would send the key to another server and change a POST into a GET. */
function createRedirectError(response: Response, sentId: string): WinnowError {
  const target = response.headers.get('location')
  return new UnexpectedResponseError({
    ...{ status: response.status, code: 'UNEXPECTED_ANSWER', requestId: sentId },
    message: `The base URL redirects${target ? ` to ${excerpt(target)}` : ''}, and calls do not follow that.`,
    hint: 'Set the base URL to the final address.',
  })
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

const maxExcerptLength = 200

/** Returns the start of untrusted text, without terminal control characters. */
function excerpt(text: string): string {
  const start = text
    .slice(0, maxExcerptLength)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (start === '') return 'it is empty.'
  return text.length > maxExcerptLength ? `${start}…` : start
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Parses the header `retry-after`, which contains seconds or a date, and returns seconds. */
function parseRetryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after')
  if (header === null || header === '') return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000)
}
