import type { MessagePace } from './message-pace.ts'
import type { BrowserPipe } from './pipe.ts'
import type { Member, SessionTree } from './session-tree.ts'

export interface JoiningClient {
  /** The service itself, or code and people outside, whose messages pass the allow-list. */
  kind: 'service' | 'guest'
  /** One page instead of the whole browser: messages without a session go to it. */
  targetId?: string
  receive(message: string): void
  /** The browser or the switch has ended, or the client must go; it gets no more messages. */
  closed(reason?: string): void
}

export interface SwitchHooks {
  /** A guest sent something: the session is in use. */
  onActivity(): void
  /** A guest asked the browser to close: the session ends. */
  onBrowserClose(): void
  /** Guests keep sending forbidden messages: the session ends. */
  onFlood(): void
}

export interface Call {
  /** Of a client; calls of the switch itself have none. */
  member?: Member
  id: number
  method: string
  settle?(answer: Answer): void
}

export interface Answer {
  result?: { sessionId?: string }
  error?: { message: string }
}

/** The clients of a browser, and its pending calls. */
export interface Switchboard {
  browser: BrowserPipe
  hooks: SwitchHooks
  pace: MessagePace
  tree: SessionTree
  members: Map<Member, JoiningClient>
  /** Connected and connecting clients. */
  guests: number
  calls: Map<number, Call>
  lastCall: number
  activations: Set<(targetId: string) => void>
  hasEnded: boolean
}

/** Calls the browser, with a new id. False if it does not keep up with reading. */
export function call(board: Switchboard, entry: Call, to: { params: object; sessionId?: string }): boolean {
  const { params, sessionId } = to
  const text = JSON.stringify({ id: board.lastCall + 1, method: entry.method, params, sessionId })
  board.lastCall += 1
  board.calls.set(board.lastCall, entry)
  return board.browser.write(text)
}

export function deliver(board: Switchboard, member: Member, text: string): void {
  const client = board.members.get(member)
  try {
    client?.receive(text)
  } catch {
    // A failing client must not prevent the others from getting the message.
    leave(board, member)
    client?.closed()
  }
}

export function leave(board: Switchboard, member: Member): void {
  if (!forget(board, member) || board.hasEnded) return
  // Its descendant sessions end with it, and pages that waited for it continue.
  const { rootSession: sessionId } = member
  call(board, { id: 0, method: 'Target.detachFromTarget' }, { params: { sessionId } })
}

/** Its own session has ended: the browser is gone, or the page that it requested. */
export function dismiss(board: Switchboard, member: Member | undefined): void {
  const client = member && board.members.get(member)
  if (member && forget(board, member)) client?.closed()
}

function forget(board: Switchboard, member: Member): boolean {
  board.tree.detach(member.rootSession)
  // Answers for a disconnected client are dropped.
  for (const [number, { member: caller }] of board.calls) if (caller === member) board.calls.delete(number)
  if (board.members.get(member)?.kind === 'guest') board.guests -= 1
  return board.members.delete(member)
}

/** The browser has gone. */
export function end(board: Switchboard): void {
  board.hasEnded = true
  const waiting = [...board.calls.values()]
  board.calls.clear()
  for (const { settle } of waiting) settle?.({})
  for (const member of board.members.keys()) dismiss(board, member)
}
