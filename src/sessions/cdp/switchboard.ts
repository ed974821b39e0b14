import { createTokenBucket } from '../../platform/token-bucket.ts'
import type { BrowserPipe } from './pipe.ts'

export interface JoiningClient {
  /** The service itself, or an external client, whose messages pass the allow-list. */
  kind: 'service' | 'guest'
  /** Id of one page instead of the whole browser; messages without a session go to it. */
  targetId?: string
  receive(message: string): void
  /** Called when the browser or the multiplexer has ended, or the client is disconnected; it gets no more messages. */
  closed(reason?: string): void
}

export interface SwitchHooks {
  /** Called when an external client sends a message, so the session is in use. */
  onActivity(): void
  /** Called when an external client requests to close the browser; the session ends. */
  onBrowserClose(): void
  /** Called when external clients keep sending forbidden messages; the session ends. */
  onFlood(): void
}

interface Call {
  /** Client of the call; undefined for calls of the multiplexer itself. */
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
  pace: ReturnType<typeof messagePace>
  tree: ReturnType<typeof sessionTree>
  members: Map<Member, JoiningClient>
  /** Number of connected and connecting external clients. */
  externalClients: number
  calls: Map<number, Call>
  lastCall: number
  activations: Set<(targetId: string) => void>
  hasEnded: boolean
}

/** Calls the browser with a new id. Returns false if it does not keep up with reading. */
export function call(
  board: Switchboard,
  pendingCall: Call,
  options: { params: object; sessionId?: string },
): boolean {
  const { params, sessionId } = options
  const text = JSON.stringify({ id: board.lastCall + 1, method: pendingCall.method, params, sessionId })
  board.lastCall += 1
  board.calls.set(board.lastCall, pendingCall)
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
  if (!removeMember(board, member) || board.hasEnded) return
  // The descendant sessions of the client end with it, and pages that waited for it continue.
  const { rootSession: sessionId } = member
  call(board, { id: 0, method: 'Target.detachFromTarget' }, { params: { sessionId } })
}

/** Removes a client whose own session has ended, because the browser or the requested page is closed. */
export function dismiss(board: Switchboard, member: Member | undefined): void {
  const client = member && board.members.get(member)
  if (member && removeMember(board, member)) client?.closed()
}

function removeMember(board: Switchboard, member: Member): boolean {
  board.tree.detach(member.rootSession)
  // Responses for a disconnected client are dropped.
  for (const [callId, { member: caller }] of board.calls) if (caller === member) board.calls.delete(callId)
  if (board.members.get(member)?.kind === 'guest') board.externalClients -= 1
  return board.members.delete(member)
}

/** Rejects all pending calls and disconnects all clients after the browser has ended. */
export function end(board: Switchboard): void {
  board.hasEnded = true
  const pendingCalls = [...board.calls.values()]
  board.calls.clear()
  for (const { settle } of pendingCalls) settle?.({})
  for (const member of board.members.keys()) dismiss(board, member)
}

/**
 * Limit of all external clients of a browser together: more than any driver sends, and a small part of the capacity of the
 * service.
 */
const messageRate = { perSecond: 4000, atOnce: 8000 }
/** Limit of rejected messages: drivers send a few of them, and a client that sends this many is abusive. */
const refusalRate = { perSecond: 100, atOnce: 10_000 }
/** Length that counts as one message; a longer message counts as several. */
const charactersPerMessage = 10_000

export function messagePace() {
  const messages = createTokenBucket(messageRate)
  const refusals = createTokenBucket(refusalRate)
  return {
    /** Counts a message of this length. Returns false if there are too many at the moment. */
    take: (length: number) => messages.take(1 + length / charactersPerMessage) >= 0,
    /** Resolves when another message is allowed. */
    async rested() {
      const waitMs = messages.wait()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    },
    /** Counts a rejected message. Returns true if there were too many. */
    isFlood: () => refusals.take(1) < 0,
  }
}

export interface Member {
  /** Session of the client, which is hidden from it; messages without a session go there. */
  rootSession: string
  /** Browser targets that the client has attached to; those of other clients are hidden from it. */
  browserTargets: Set<string>
  openCalls: number
}

export interface Attached {
  sessionId: string
  targetId: string
  isBrowser: boolean
}

interface Session {
  member?: Member | undefined
  parent?: Session | undefined
  children: Set<string>
  attached?: Attached
}

/** Creates the tree of sessions, with the parent of each session, up to that of a client. */
export function sessionTree() {
  const sessions = new Map<string, Session>()

  function remove(sessionId: string): void {
    const session = sessions.get(sessionId)
    if (!session) return
    sessions.delete(sessionId)
    session.parent?.children.delete(sessionId)
    for (const child of session.children) remove(child)
  }

  return {
    addMember(rootSession: string): Member {
      const session = sessions.get(rootSession) ?? { children: new Set() }
      const browserTargets = session.attached?.isBrowser ? [session.attached.targetId] : []
      const member = { rootSession, browserTargets: new Set(browserTargets), openCalls: 0 }
      session.member = member
      sessions.set(rootSession, session)
      return member
    },
    /** Adds a session that another one or the multiplexer itself requested. */
    attach(parentId: string | undefined, attached: Attached): void {
      const parent = parentId === undefined ? undefined : sessions.get(parentId)
      // The parent belongs to a client that has disconnected in the meantime.
      if (parentId !== undefined && !parent) return
      const member = parent?.member
      if (attached.isBrowser) member?.browserTargets.add(attached.targetId)
      parent?.children.add(attached.sessionId)
      sessions.set(attached.sessionId, { attached, children: new Set(), member, parent })
    },
    /** Removes a session and its descendants. Returns the member whose own session it was. */
    detach(sessionId: string): Member | undefined {
      const member = sessions.get(sessionId)?.member
      remove(sessionId)
      return member?.rootSession === sessionId ? member : undefined
    },
    memberOf: (sessionId: string) => sessions.get(sessionId)?.member,
    targetOf: (sessionId: string) => sessions.get(sessionId)?.attached?.targetId,
  }
}
