import { bucket } from '../../platform/token-bucket.ts'
import type { BrowserPipe } from './pipe.ts'

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

interface Call {
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
  pace: ReturnType<typeof messagePace>
  tree: ReturnType<typeof sessionTree>
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

/** Of all guests of a browser together: more than any driver sends, and a small part of what the service can handle. */
const usual = { perSecond: 4000, atOnce: 8000 }
/** Drivers send a few of them; a client that sends this many is abusive. */
const refused = { perSecond: 100, atOnce: 10_000 }
/** A long message counts as several. */
const lengthOfOne = 10_000

export function messagePace() {
  const messages = bucket(usual)
  const refusals = bucket(refused)
  return {
    /** Counts a message of this length; false if there are too many at the moment. */
    take: (length: number) => messages.take(1 + length / lengthOfOne) >= 0,
    /** Settles when there is room for another one. */
    async rested() {
      const wait = messages.wait()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    },
    /** Counts one that was refused; true if there were too many. */
    isFlood: () => refusals.take(1) < 0,
  }
}

export interface Member {
  /** Its own session, which is hidden from it: messages without a session go there. */
  rootSession: string
  /** Browser targets it has attached to; those of other clients are hidden from it. */
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

/** The parent of each session, up to that of a client. */
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
    /** A session started, requested by another one or by the switch itself. */
    attach(parentId: string | undefined, attached: Attached): void {
      const parent = parentId === undefined ? undefined : sessions.get(parentId)
      // Of a client that has disconnected in the meantime.
      if (parentId !== undefined && !parent) return
      const member = parent?.member
      if (attached.isBrowser) member?.browserTargets.add(attached.targetId)
      parent?.children.add(attached.sessionId)
      sessions.set(attached.sessionId, { attached, children: new Set(), member, parent })
    },
    /** A session and its descendants ended; returns the member whose own session it was. */
    detach(sessionId: string): Member | undefined {
      const member = sessions.get(sessionId)?.member
      remove(sessionId)
      return member?.rootSession === sessionId ? member : undefined
    },
    memberOf: (sessionId: string) => sessions.get(sessionId)?.member,
    targetOf: (sessionId: string) => sessions.get(sessionId)?.attached?.targetId,
  }
}
