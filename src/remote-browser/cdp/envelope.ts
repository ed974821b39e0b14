export interface Envelope {
  /** Of an answer: the number of the call. */
  id?: number
  /** Of an event: its name. */
  method?: string
  sessionId?: string
  text: string
}

const answerHead = /^\{"id":(-?\d+),/
const eventHead = /^\{"method":"([^"\\]+)"/
const sessionTail = /,"sessionId":"([^"\\]+)"\}$/

/**
 * The routing fields of a message. Chromium writes the id or the method first and the session last, so messages of
 * many megabytes are routed without parsing. A string inside cannot forge them: its quotes are escaped.
 */
export function readEnvelope(text: string): Envelope {
  const sessionId = sessionTail.exec(text.slice(-100))?.[1]
  const session = sessionId === undefined ? {} : { sessionId }
  const start = text.slice(0, 120)
  const id = answerHead.exec(start)?.[1]
  if (id !== undefined) return { id: Number(id), ...session, text }
  const method = eventHead.exec(start)?.[1]
  return { ...(method === undefined ? {} : { method }), ...session, text }
}

/** The same message with another id, and without its session if that is the client's own. */
export function readdress(envelope: Envelope, to: { id?: number; hidesSession: boolean }): string {
  const { text, id, sessionId } = envelope
  const isCut = to.hidesSession && sessionId !== undefined
  const end = isCut ? text.length - `,"sessionId":"${sessionId}"}`.length : text.length
  const closing = isCut ? '}' : ''
  if (id === undefined || to.id === undefined) return isCut ? text.slice(0, end) + closing : text
  return `{"id":${to.id}${text.slice(`{"id":${id}`.length, end)}${closing}`
}
