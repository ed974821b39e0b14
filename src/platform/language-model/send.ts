import { Agent, request as send } from 'undici'
import { bounds } from '../bounds.ts'
import { parseForeignJson } from '../json/json.ts'

export interface ServerCall {
  url: string
  headers: Record<string, string>
  body: unknown
  timeoutMs: number
}

const userAgent = 'Winnow (self-hosted web data service)'

/** Without timeouts for the response: the timeout of the call applies, because a model may need minutes. */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })

/** Redirects are not followed, because they would send the key to another server. */
export async function callServer({ url, headers, body, timeoutMs }: ServerCall, signal: AbortSignal) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(url, {
      ...{ dispatcher: agent, method: 'POST', signal: AbortSignal.any([signal, timeout]) },
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
      body: JSON.stringify(body),
    })
    const text = await readText(response.body)
    const { statusCode: status } = response
    if (status >= 200 && status < 300) return parseResponse(text)
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'])
    throw new ServerError(findMessage(text), { status, isTemporary: isTemporary(status), retryAfterMs })
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof ServerError) throw thrown
    if (timeout.aborted) {
      throw new ServerError(`no answer within ${timeoutMs / 1000} s`, {
        hint: 'The model server took too long. Ask for less, or ask the operator to raise MODEL_TIMEOUT_MS.',
      })
    }
    throw new ServerError(getErrorMessage(thrown), { isTemporary: true })
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bounds[sizeBound].most) {
      throw new ServerError(`the answer has more than ${bounds[sizeBound].most} bytes (${sizeBound})`, {
        hint: 'Ask for fewer fields, or ask the operator to lower MODEL_MAX_TOKENS_PER_CALL.',
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const sizeBound = 'MAX_MODEL_ANSWER_BYTES'

function parseResponse(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    throw new ServerError('the answer is not JSON')
  }
}

function isTemporary(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

function findMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    for (const part of [getField(body, 'error'), body])
      for (const message of [part, getField(part, 'message'), getField(part, 'detail')])
        if (typeof message === 'string' && message !== '') return message
  } catch {
    // The text is not JSON, so it is the message itself.
  }
  return text.trim().slice(0, 300) || 'no reason was given'
}

function getField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** An error of several connection attempts has no message, so its code is returned. */
function getErrorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const code = 'code' in thrown ? String(thrown.code) : thrown.name
  return thrown.message || code
}

function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** The error does not contain the request, because its page text must not be logged. */
export class ServerError extends Error {
  readonly details: {
    status?: number
    isTemporary?: boolean
    retryAfterMs?: number | undefined
    hint?: string
  }

  constructor(message: string, details: ServerError['details'] = {}) {
    super(message)
    this.name = 'ServerError'
    this.details = details
  }
}

/** Some servers fail with 500 if they cannot convert a schema to a grammar. */
export function isRejection(thrown: unknown): boolean {
  if (!(thrown instanceof ServerError)) return false
  const { status } = thrown.details
  if (status === 500) return /schema|grammar|response_format|tool_choice/i.test(thrown.message)
  return status === 400 || status === 422 || status === 501
}
