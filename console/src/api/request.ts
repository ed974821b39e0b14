import { apiUrl } from '../../../client/src/api-path.ts'
import { currentKey } from './key.ts'

/** What the service said about a call that it did not carry out. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.error === 'string' ? body.error : `The service answered ${status}.`)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'UNKNOWN'
    this.body = body
  }
}

interface Sent {
  body?: unknown
  /** A form is sent as it is. */
  form?: FormData
  query?: Record<string, string | number | undefined>
  signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'DELETE'

/** Calls the API with the key of the caller. */
export async function request<Answer>(method: Method, path: string, sent: Sent = {}): Promise<Answer> {
  const answer = await send(method, path, sent)
  const text = await answer.text()
  const body = parsed(text)
  if (!answer.ok) throw new ApiError(answer.status, body)
  // The shapes are those of the API description, which tests hold the service to.
  return body as Answer
}

/** The same for answers that are read as they come. */
export async function send(method: Method, path: string, { body, form, query, signal }: Sent) {
  const url = apiUrl(location.origin, path)
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers = new Headers()
  const key = currentKey()
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return fetch(url, {
    method,
    headers,
    ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
