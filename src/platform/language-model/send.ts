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

/** The clock of the call decides how long a server may be silent, and a model on a small machine thinks for minutes. */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })

/**
 * Posts JSON to the server that the operator has chosen and returns the JSON it answers. Redirects are not followed: they would
 * take the key elsewhere.
 */
export async function callServer(
  { url, headers, body, timeoutMs }: ServerCall,
  signal: AbortSignal,
): Promise<unknown> {
  const tooLong = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await send(url, {
      ...{ dispatcher: agent, method: 'POST', signal: AbortSignal.any([signal, tooLong]) },
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
      body: JSON.stringify(body),
    })
    const text = await readText(answer.body)
    const { statusCode: status } = answer
    if (status >= 200 && status < 300) return parsed(text)
    const retryAfterMs = retryAfter(answer.headers['retry-after'])
    throw new ServerError(messageIn(text), { status, isPassing: isPassing(status), retryAfterMs })
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof ServerError) throw thrown
    if (tooLong.aborted) throw silent(timeoutMs)
    throw new ServerError(wordsOf(thrown), { isPassing: true })
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bounds[sizeBound].most) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const sizeBound = 'MAX_MODEL_ANSWER_BYTES'

function tooLarge(): ServerError {
  return new ServerError(`the answer has more than ${bounds[sizeBound].most} bytes (${sizeBound})`, {
    hint: 'Ask for fewer fields, or ask the operator to lower MODEL_MAX_TOKENS_PER_CALL.',
  })
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    throw new ServerError('the answer is not JSON')
  }
}

function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** The server's own words, wherever it puts them. */
function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    for (const part of [fieldOf(body, 'error'), body])
      for (const words of [part, fieldOf(part, 'message'), fieldOf(part, 'detail')])
        if (typeof words === 'string' && words !== '') return words
  } catch {
    // Not JSON: the text is the message.
  }
  return text.trim().slice(0, 300) || 'no reason was given'
}

function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined
}

function silent(timeoutMs: number): ServerError {
  return new ServerError(`no answer within ${timeoutMs / 1000} s`, {
    hint: 'The model server took too long. Ask for less, or ask the operator to raise MODEL_TIMEOUT_MS.',
  })
}

/** An error of several connection attempts has no message of its own. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const code = 'code' in thrown ? String(thrown.code) : thrown.name
  return thrown.message || code
}

function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** A request to a model server that failed, with nothing of the request in it: that may hold page text, which must not be logged. */
export class ServerError extends Error {
  /** Undefined if there was no answer, or none of the protocol. */
  readonly status: number | undefined
  /** It may work a moment later. */
  readonly isPassing: boolean
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined
  /** What the operator should look at, if the status does not say it. */
  readonly hint: string | undefined

  constructor(
    message: string,
    facts: Partial<Pick<ServerError, 'status' | 'isPassing' | 'retryAfterMs' | 'hint'>> = {},
  ) {
    super(message)
    this.name = 'ServerError'
    this.status = facts.status
    this.isPassing = facts.isPassing ?? false
    this.retryAfterMs = facts.retryAfterMs
    this.hint = facts.hint
  }
}

/**
 * The server understood the request and rejected it. Some servers fail with 500 where they cannot turn a schema into a grammar.
 */
export function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof ServerError)) return false
  if (thrown.status === 500) return /schema|grammar|response_format|tool_choice/i.test(thrown.message)
  return thrown.status === 400 || thrown.status === 422 || thrown.status === 501
}
