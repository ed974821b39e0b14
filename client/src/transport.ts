import { apiUrl } from './api-path.ts'
import { environmentVariable, randomId } from './environment.ts'
import { CallTimeoutError, ConnectionError, WinnowError } from './errors.ts'
import { type Json, readFailure, readResponse } from './read-response.ts'
import { isRetryable, type RetryPolicy, retryDelay } from './retry-policy.ts'
import { sleep } from './sleep.ts'

export interface WinnowOptions {
  /** Base URL of the service. Default: WINNOW_URL, else http://127.0.0.1:3002. */
  baseUrl?: string | undefined
  /** API key. Default: WINNOW_API_KEY. If there is no key, none is sent, which a service with AUTH=off accepts. */
  apiKey?: string | undefined
  /** Replacement for the `fetch` of the runtime. */
  fetch?: typeof globalThis.fetch | undefined
  /** Maximum number of retries, for calls that may be retried. Default: 3. */
  retries?: number | undefined
  /**
   * Maximum wait for one response. Default: 30 seconds for reads, slightly more than the limit of the service for work.
   */
  timeoutMs?: number | undefined
}

/** Options that each method takes as its last argument. */
export interface CallOptions {
  /** Aborts the call, and the work that the service does only for this call. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  retries?: number | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path that starts with /v2. */
  path: string
  query?: Record<string, string | number | boolean | undefined> | undefined
  body?: unknown
  /** Form that replaces the JSON body. */
  form?: FormData | undefined
  retry: RetryPolicy
  /** Key that makes retries of a start safe: the service starts only one job per key. */
  idempotencyKey?: string | undefined
  /** Timeout if neither the client nor the call options set one. */
  timeoutMs?: number | undefined
}

export interface Transport {
  readonly baseUrl: string
  /** Makes a call and returns the JSON response. Throws if the call fails. */
  call(call: Call, options?: CallOptions): Promise<Json>
  /** Makes a call and returns the response itself, for streams. The timeout applies until the headers arrive. */
  open(call: Call, options?: CallOptions): Promise<Response>
}

const defaultBaseUrl = 'http://127.0.0.1:3002'
const readTimeoutMs = 30_000

export function createTransport(options: WinnowOptions): Transport {
  const baseUrl = normalizeBaseUrl(options.baseUrl ?? environmentVariable('WINNOW_URL') ?? defaultBaseUrl)
  const authorization = authorizationHeader(options.apiKey ?? environmentVariable('WINNOW_API_KEY'))
  // Browsers reject a call of `fetch` whose `this` is not the window.
  const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request))

  const attempt = async <Value>(
    call: Call,
    callOptions: CallOptions,
    read: (response: Response, requestId: string) => Promise<Value>,
  ): Promise<Value> => {
    const requestId = randomId()
    const limitMs = callOptions.timeoutMs ?? options.timeoutMs ?? call.timeoutMs ?? readTimeoutMs
    const timeout = createAttemptSignal(limitMs, callOptions.signal)
    try {
      const response = await send(buildUrl(baseUrl, call), {
        method: call.method,
        headers: {
          'x-request-id': requestId,
          ...authorization,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.idempotencyKey === undefined ? {} : { 'x-idempotency-key': call.idempotencyKey }),
        },
        body: call.form ?? (call.body === undefined ? null : JSON.stringify(call.body)),
        redirect: 'manual',
        signal: timeout.signal,
      })
      const value = await read(response, requestId)
      // The listener stays for an unread stream, so that the signal of the caller also aborts the stream.
      if (!(value instanceof Response)) timeout.unsubscribe()
      return value
    } catch (thrown) {
      timeout.unsubscribe()
      throw toError(thrown, {
        requestId,
        limitMs,
        isOverdue: timeout.isOverdue(),
        signal: callOptions.signal,
        baseUrl,
      })
    } finally {
      timeout.clearTimer()
    }
  }

  const callWithRetries = async <Value>(
    call: Call,
    callOptions: CallOptions,
    read: (response: Response, requestId: string) => Promise<Value>,
  ): Promise<Value> => {
    const maxRetries = callOptions.retries ?? options.retries ?? 3
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(call, callOptions, read)
      } catch (thrown) {
        if (thrown instanceof WinnowError) Object.assign(thrown, { attempts })
        if (attempts > maxRetries || !isRetryable(thrown, call.retry)) throw thrown
        const delay = retryDelay(attempts, thrown)
        if (delay === undefined) throw thrown
        await sleep(delay, callOptions.signal)
      }
    }
  }

  return {
    baseUrl,
    call: (call, callOptions = {}) => callWithRetries(call, callOptions, readResponse),
    open: (call, callOptions = {}) =>
      callWithRetries(call, callOptions, async (response, requestId) => {
        if (response.ok) return response
        throw await readFailure(response, requestId)
      }),
  }
}

/**
 * Creates the signal of one attempt: it aborts with the signal of the caller or at the time limit. `AbortSignal.any` is
 * not used, because on Node 20 it leaks memory for each attempt as long as the signal of the caller exists.
 */
function createAttemptSignal(limitMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let isOverdue = false
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  const onTimeout = () => {
    isOverdue = true
    controller.abort()
  }
  // A timer of more than 24.8 days fires immediately.
  const timer = setTimeout(onTimeout, Math.min(limitMs, 2 ** 31 - 1))
  return {
    signal: controller.signal,
    isOverdue: () => isOverdue,
    clearTimer: () => clearTimeout(timer),
    unsubscribe: () => outer?.removeEventListener('abort', onAbort),
  }
}

interface AttemptContext {
  requestId: string
  limitMs: number
  isOverdue: boolean
  signal: AbortSignal | undefined
  baseUrl: string
}

/** Converts an error of `fetch`, which has neither a specific type nor a clear message. */
function toError(
  thrown: unknown,
  { requestId, limitMs, isOverdue, signal, baseUrl }: AttemptContext,
): unknown {
  if (thrown instanceof WinnowError) return thrown
  if (signal?.aborted) return signal.reason
  const properties = { status: 0, requestId, cause: thrown }
  if (isOverdue) {
    const message = `There was no answer within ${limitMs} ms.`
    const hint = 'Raise timeoutMs, or ask for less.'
    return new CallTimeoutError({ ...properties, code: 'CALL_TIMEOUT', message, hint })
  }
  const message = `The service at ${baseUrl} was not reached, or the connection broke: ${getReason(thrown)}`
  const hint = 'Check that the service runs and that the base URL (WINNOW_URL) is right.'
  return new ConnectionError({ ...properties, code: 'CONNECTION_FAILED', message, hint })
}

function getReason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const inner = thrown.cause instanceof Error ? thrown.cause.message : ''
  return inner || thrown.message
}

function buildUrl(baseUrl: string, { path, query = {} }: Call): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const url = apiUrl(baseUrl, path)
  url.search = new URLSearchParams(parameters).toString()
  return url.href
}

export function normalizeBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not an http or https address. Example: http://127.0.0.1:3002')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl has a name or a password in it. Pass the key as apiKey.')
  // Callers often pass the URL of the API instead of the URL of the service.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the authorization header. Validates the key, because an error of `fetch` for an invalid header would contain
 * it.
 */
export function authorizationHeader(apiKey: string | undefined): Record<string, string> {
  const key = apiKey?.trim()
  if (!key) return {}
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey has characters that no key has.')
  return { authorization: `Bearer ${key}` }
}
