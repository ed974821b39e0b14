import { createTokenBucket } from '../../platform/token-bucket.ts'
import type { BrowserPipe } from './pipe.ts'

export interface ConnectingClient {
  /** The messages of a `guest`, an external client, are checked against the allow-list. */
  kind: 'service' | 'guest'
  /** Id of a page, for a client that uses only this page. Messages without a session id go to the page. */
  targetId?: string
  receive(message: string): void
  closed(reason?: string): void
}

export interface MultiplexerHooks {
  onActivity(): void
  onBrowserClose(): void
  onFlood(): void
}

interface Call {
  /** Client of the call; undefined for calls of the multiplexer itself. */
  member?: Member
  id: number
  method: string
  settle?(response: CallResponse): void
}

export interface CallResponse {
  result?: { sessionId?: string }
  error?: { message: string }
}

export interface MultiplexerState {
  browser: BrowserPipe
  hooks: MultiplexerHooks
  limiter: ReturnType<typeof createMessageLimiter>
  tree: ReturnType<typeof createSessionTree>
  members: Map<Member, ConnectingClient>
  externalClientCount: number
  calls: Map<number, Call>
  lastCall: number
  activationListeners: Set<(targetId: string) => void>
  hasEnded: boolean
}

export function call(
  state: MultiplexerState,
  pendingCall: Call,
  { params, sessionId }: { params: object; sessionId?: string },
): boolean {
  const text = JSON.stringify({ id: state.lastCall + 1, method: pendingCall.method, params, sessionId })
  state.lastCall += 1
  state.calls.set(state.lastCall, pendingCall)
  return state.browser.write(text)
}

export function deliver(state: MultiplexerState, member: Member, text: string): void {
  const client = state.members.get(member)
  try {
    client?.receive(text)
  } catch {
    // The error of one client must not prevent the delivery of messages to other clients.
    disconnect(state, member)
    client?.closed()
  }
}

export function disconnect(state: MultiplexerState, member: Member): void {
  if (!removeMember(state, member) || state.hasEnded) return
  // The browser ends the descendant sessions too, and pages that waited for the client continue.
  const { rootSession: sessionId } = member
  call(state, { id: 0, method: 'Target.detachFromTarget' }, { params: { sessionId } })
}

export function removeEndedClient(state: MultiplexerState, member: Member | undefined): void {
  const client = member && state.members.get(member)
  if (member && removeMember(state, member)) client?.closed()
}

function removeMember(state: MultiplexerState, member: Member): boolean {
  state.tree.detach(member.rootSession)
  for (const [callId, { member: caller }] of state.calls) if (caller === member) state.calls.delete(callId)
  if (state.members.get(member)?.kind === 'guest') state.externalClientCount -= 1
  return state.members.delete(member)
}

export function end(state: MultiplexerState): void {
  state.hasEnded = true
  const pendingCalls = [...state.calls.values()]
  state.calls.clear()
  for (const { settle } of pendingCalls) settle?.({})
  for (const member of state.members.keys()) removeEndedClient(state, member)
}

/** More messages than any driver sends, and a small part of the capacity of the service. */
const messageRate = { perSecond: 4000, burst: 8000 }
/** Drivers send a few forbidden messages; a client that exceeds this rate is abusive. */
const refusalRate = { perSecond: 100, burst: 10_000 }
const charactersPerMessage = 10_000

export function createMessageLimiter() {
  const messages = createTokenBucket(messageRate)
  const refusals = createTokenBucket(refusalRate)
  return {
    take: (length: number) => messages.take(1 + length / charactersPerMessage) >= 0,
    async whenAllowed() {
      const waitMs = messages.wait()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    },
    /** Returns true if the clients exceed the rate of refused messages. */
    countRefusal: () => refusals.take(1) < 0,
  }
}

export interface Member {
  /** Own session of the client, which is hidden from it. Messages without a session id go to this session. */
  rootSession: string
  /** Browser targets that the client has attached to; browser targets of other clients are hidden from it. */
  browserTargets: Set<string>
  openCalls: number
}

interface AttachedTarget {
  sessionId: string
  targetId: string
  isBrowser: boolean
}

interface Session {
  member?: Member | undefined
  parent?: Session | undefined
  children: Set<string>
  attached?: AttachedTarget
}

export function createSessionTree() {
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
    attach(parentId: string | undefined, attached: AttachedTarget): void {
      const parent = parentId === undefined ? undefined : sessions.get(parentId)
      // The client of the parent session has disconnected in the meantime.
      if (parentId !== undefined && !parent) return
      const member = parent?.member
      if (attached.isBrowser) member?.browserTargets.add(attached.targetId)
      parent?.children.add(attached.sessionId)
      sessions.set(attached.sessionId, { attached, children: new Set(), member, parent })
    },
    detach(sessionId: string): Member | undefined {
      const member = sessions.get(sessionId)?.member
      remove(sessionId)
      return member?.rootSession === sessionId ? member : undefined
    },
    memberOf: (sessionId: string) => sessions.get(sessionId)?.member,
    targetOf: (sessionId: string) => sessions.get(sessionId)?.attached?.targetId,
  }
}
