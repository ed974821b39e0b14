import type { CdpParams } from './allow-list.ts'

export interface ClientMessage {
  id: number
  method: string
  params: CdpParams
  sessionId?: string
}

export type MessageRead = { message: ClientMessage } | { error: string }

/** The message of a client, or the error to answer. Only the four known members are forwarded. */
export function readMessage(text: string): MessageRead {
  const parsed = parse(text)
  if (parsed === undefined) return { error: errorAnswer(undefined, -32700, 'The message is not JSON') }
  if (!isObject(parsed)) return { error: errorAnswer(undefined, -32600, 'The message must be an object') }
  const { id, method, params = {}, sessionId } = parsed
  if (!Number.isSafeInteger(id) || typeof id !== 'number') {
    return { error: errorAnswer(undefined, -32600, "The message needs an integer 'id'") }
  }
  const refuse = (what: string) => ({ error: errorAnswer({ id, ...known(sessionId) }, -32600, what) })
  if (typeof method !== 'string') return refuse("The message needs a string 'method'")
  if (!isObject(params)) return refuse("'params' must be an object")
  if (sessionId !== undefined && typeof sessionId !== 'string') return refuse("'sessionId' must be a string")
  // An empty one counts as missing, as in Chromium.
  return { message: { id, method, params, ...(sessionId ? { sessionId } : {}) } }
}

export interface CallAddress {
  id: number
  sessionId?: string
}

export function errorAnswer(call: CallAddress | undefined, code: number, message: string): string {
  return JSON.stringify({ id: call?.id, error: { code, message }, sessionId: call?.sessionId })
}

export function resultAnswer(call: CallAddress, result: CdpParams): string {
  return JSON.stringify({ id: call.id, result, sessionId: call.sessionId })
}

export function isObject(value: unknown): value is CdpParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const known = (sessionId: unknown) => (typeof sessionId === 'string' ? { sessionId } : {})
