import { apiUrl } from './api-path.ts'
import { environmentVariable, randomId } from './environment.ts'
import { CallTimeoutError, ConnectionError, WinnowError } from './errors.ts'
import { type Json, readAnswer, readFailure } from './read-response.ts'
import { mayRepeat, pauseBefore, type Repeatable } from './retry-policy.ts'
import { sleep } from './waiting.ts'

export interface WinnowOptions {
  /** Address of the service. Default: WINNOW_URL, else http://127.0.0.1:3002. */
  baseUrl?: string | undefined
  /** Default: WINNOW_API_KEY. Without one, no key is sent, as a service with AUTH=off wants it. */
  apiKey?: string | undefined
  /** In place of the fetch of the runtime. */
  fetch?: typeof globalThis.fetch | undefined
  /** How often a call that may be repeated is repeated. Default: 3. */
  retries?: number | undefined
  /** Longest wait for one answer. Default: 30 seconds for reads; for work, what the service may take for it. */
  timeoutMs?: number | undefined
}

/** What each method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, and with it work that the service does for this call alone. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  retries?: number | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** From /v2 on. */
  path: string
  query?: Record<string, string | number | boolean | undefined> | undefined
  body?: unknown
  /** In place of a body of JSON. */
  form?: FormData | undefined
  repeatable: Repeatable
  /** With it a start is repeated without starting twice. */
  idempotencyKey?: string | undefined
  /** Longest wait, where neither the client nor the call has one. */
  timeoutMs?: number | undefined
}

export interface Transport {
  readonly baseUrl: string
  /** The JSON that the service answered, or an error. */
  call(call: Call, options?: CallOptions): Promise<Json>
  /** The answer itself, for streams. The time limit ends with its headers. */
  open(call: Call, options?: CallOptions): Promise<Response>
}

const defaultBaseUrl = 'http://127.0.0.1:3002'
const readTimeoutMs = 30_000

export function createTransport(options: WinnowOptions): Transport {
  const baseUrl = checkedBaseUrl(options.baseUrl ?? environmentVariable('WINNOW_URL') ?? defaultBaseUrl)
  const authorization = bearer(options.apiKey ?? environmentVariable('WINNOW_API_KEY'))
  // Browsers refuse a fetch that is called on anything but the window.
  const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request))

  const attempt = async <Read>(
    call: Call,
    given: CallOptions,
    read: (response: Response, requestId: string) => Promise<Read>,
  ): Promise<Read> => {
    const requestId = randomId()
    const limitMs = given.timeoutMs ?? options.timeoutMs ?? call.timeoutMs ?? readTimeoutMs
    const limit = timeLimit(limitMs, given.signal)
    try {
      const response = await send(addressOf(baseUrl, call), {
        method: call.method,
        headers: {
          'x-request-id': requestId,
          ...authorization,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.idempotencyKey === undefined ? {} : { 'x-idempotency-key': call.idempotencyKey }),
        },
        body: call.form ?? (call.body === undefined ? null : JSON.stringify(call.body)),
        redirect: 'manual',
        signal: limit.signal,
      })
      const value = await read(response, requestId)
      // A stream that is still to be read ends with the signal of the caller as well.
      if (!(value instanceof Response)) limit.leave()
      return value
    } catch (thrown) {
      limit.leave()
      throw asError(thrown, {
        requestId,
        limitMs,
        isOverdue: limit.isOverdue(),
        signal: given.signal,
        baseUrl,
      })
    } finally {
      limit.liftTime()
    }
  }

  const repeated = async <Read>(
    call: Call,
    given: CallOptions,
    read: (response: Response, requestId: string) => Promise<Read>,
  ): Promise<Read> => {
    const most = given.retries ?? options.retries ?? 3
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(call, given, read)
      } catch (thrown) {
        if (thrown instanceof WinnowError) Object.assign(thrown, { attempts })
        if (attempts > most || !mayRepeat(thrown, call.repeatable)) throw thrown
        const pause = pauseBefore(attempts, thrown)
        if (pause === undefined) throw thrown
        await sleep(pause, given.signal)
      }
    }
  }

  return {
    baseUrl,
    call: (call, given = {}) => repeated(call, given, readAnswer),
    open: (call, given = {}) =>
      repeated(call, given, async (response, requestId) => {
        if (response.ok) return response
        throw await readFailure(response, requestId)
      }),
  }
}

/**
 * The signal of one attempt: that of the caller, and a time limit until the answer is read. Not by AbortSignal.any, which
 * on Node 20 keeps something of every attempt for as long as the signal of the caller lives.
 */
function timeLimit(limitMs: number, outer: AbortSignal | undefined) {
  const ending = new AbortController()
  let isOverdue = false
  const follow = () => ending.abort(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  const expire = () => {
    isOverdue = true
    ending.abort()
  }
  // A timer of more than 24.8 days fires at once.
  const timer = setTimeout(expire, Math.min(limitMs, 2 ** 31 - 1))
  return {
    signal: ending.signal,
    isOverdue: () => isOverdue,
    liftTime: () => clearTimeout(timer),
    leave: () => outer?.removeEventListener('abort', follow),
  }
}

interface Failed {
  requestId: string
  limitMs: number
  isOverdue: boolean
  signal: AbortSignal | undefined
  baseUrl: string
}

/** What fetch throws has neither a type nor a text that says what happened. */
function asError(thrown: unknown, { requestId, limitMs, isOverdue, signal, baseUrl }: Failed): unknown {
  if (thrown instanceof WinnowError) return thrown
  if (signal?.aborted) return signal.reason
  const facts = { status: 0, requestId, cause: thrown }
  if (isOverdue) {
    const message = `There was no answer within ${limitMs} ms.`
    const hint = 'Raise timeoutMs, or ask for less.'
    return new CallTimeoutError({ ...facts, code: 'CALL_TIMEOUT', message, hint })
  }
  const message = `The service at ${baseUrl} was not reached, or the connection broke: ${reasonOf(thrown)}`
  const hint = 'Check that the service runs and that the base URL (WINNOW_URL) is right.'
  return new ConnectionError({ ...facts, code: 'CONNECTION_FAILED', message, hint })
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const inner = thrown.cause instanceof Error ? thrown.cause.message : ''
  return inner || thrown.message
}

function addressOf(baseUrl: string, { path, query = {} }: Call): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const url = apiUrl(baseUrl, path)
  url.search = new URLSearchParams(given).toString()
  return url.href
}

export function checkedBaseUrl(given: string): string {
  const url = parsedUrl(given)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not an http or https address. Example: http://127.0.0.1:3002')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl has a name or a password in it. Pass the key as apiKey.')
  // Many paste the address of the API and not that of the service.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Checked here, because what fetch says of a header that it refuses would show the key. */
export function bearer(apiKey: string | undefined): Record<string, string> {
  const key = apiKey?.trim()
  if (!key) return {}
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey has characters that no key has.')
  return { authorization: `Bearer ${key}` }
}
