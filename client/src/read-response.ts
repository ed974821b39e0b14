import { serviceError, UnexpectedAnswerError, type WinnowError } from './errors.ts'

export type Json = Record<string, unknown>

/** The JSON object that the service answered. Anything else is an error, whatever its status is. */
export async function readAnswer(response: Response, sentId: string): Promise<Json> {
  if (isRedirect(response)) throw redirected(response, sentId)
  const text = await response.text()
  const value = parsedObject(text)
  if (response.ok && value) return value
  throw failureOf(response, { text, value, sentId })
}

/** The error in an answer whose status is not 2xx. */
export async function readFailure(response: Response, sentId: string): Promise<WinnowError> {
  if (isRedirect(response)) return redirected(response, sentId)
  const text = await response.text()
  return failureOf(response, { text, value: parsedObject(text), sentId })
}

function failureOf(
  response: Response,
  { text, value, sentId }: { text: string; value: Json | undefined; sentId: string },
): WinnowError {
  const { status } = response
  const requestId = textOf(value?.requestId) ?? response.headers.get('x-request-id') ?? sentId
  const retryAfter = secondsOf(value?.retryAfter) ?? waitHeader(response.headers)
  const code = textOf(value?.code)
  if (!value || code === undefined || response.ok) {
    return new UnexpectedAnswerError({
      ...{ status, code: 'UNEXPECTED_ANSWER', requestId, retryAfter, body: value },
      message: `The answer (status ${status}) is not one of Winnow: ${excerpt(text)}`,
      hint: 'Check the base URL, and the proxies on the way to it.',
    })
  }
  return serviceError({
    ...{ status, code, requestId, retryAfter, body: value },
    message: textOf(value.error) ?? code,
    phase: textOf(value.phase),
    hint: textOf(value.hint),
    jobId: textOf(value.id),
    details: value.details,
  })
}

/** In a browser a redirect that is not followed has no status and no address. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

/** The key is not sent to wherever an answer points, and a POST that is redirected turns into a GET. */
function redirected(response: Response, sentId: string): WinnowError {
  const target = response.headers.get('location')
  return new UnexpectedAnswerError({
    ...{ status: response.status, code: 'UNEXPECTED_ANSWER', requestId: sentId },
    message: `The base URL redirects${target ? ` to ${excerpt(target)}` : ''}, and calls do not follow that.`,
    hint: 'Set the base URL to the final address.',
  })
}

function parsedObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

const maxExcerptLength = 200

/** Of text that anybody may have written: short, and without what a terminal would obey. */
function excerpt(text: string): string {
  const start = text
    .slice(0, maxExcerptLength)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (start === '') return 'it is empty.'
  return text.length > maxExcerptLength ? `${start}…` : start
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Seconds or a date. */
function waitHeader(headers: Headers): number | undefined {
  const header = headers.get('retry-after')
  if (header === null || header === '') return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
