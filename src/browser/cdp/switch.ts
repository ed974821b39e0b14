import type { Readable, Writable } from 'node:stream'
import { judgeMessage } from './allow-list.ts'
import { type Envelope, readdress, readEnvelope } from './envelope.ts'
import { messagePace } from './message-pace.ts'
import { browserPipe } from './pipe.ts'
import { type ClientMessage, errorAnswer, readMessage, resultAnswer } from './read-message.ts'
import { type Member, sessionTree } from './session-tree.ts'
import { readTargetEvent, withoutOtherBrowsers } from './targets.ts'

export interface CdpSwitch {
  /** Another client of the browser; answers when it has a session of its own. */
  join(client: JoiningClient): Promise<CdpClient>
  /** Calls back with a page whenever some client has brought it to the front; answers how to stop that. */
  onActivated(listener: (targetId: string) => void): () => void
}

export interface JoiningClient {
  /** The service itself, or code and people outside, whose messages pass the allow-list. */
  kind: 'service' | 'guest'
  /** One page instead of the whole browser: messages without a session go to it. */
  targetId?: string
  receive(message: string): void
  /** The browser or the switch has gone, or the client has to go; it gets nothing more. */
  closed(reason?: string): void
}

export interface CdpClient {
  /** False when the browser is behind, or clients ask faster than they may: wait for `drained` before the next one. */
  send(message: string): boolean
  drained(): Promise<void>
  leave(): void
}

export interface SwitchHooks {
  /** A guest sent something: the session is in use. */
  onActivity(): void
  /** A guest asked the browser to close: the session ends. */
  onBrowserClose(): void
  /** Guests do not stop to send what is refused: the session ends. */
  onFlood(): void
}

interface Call {
  /** Of a client; calls of the switch itself have none. */
  member?: Member
  id: number
  method: string
  settle?(answer: Answer): void
}

interface Answer {
  result?: { sessionId?: string }
  error?: { message: string }
}

const mostGuests = 32
/** Calls of one client that the browser has not answered. */
const mostOpenCalls = 20_000
/** Chromium has no event for this, so the wish is heeded on its way there. */
const frontCalls = new Set(['Page.bringToFront', 'Target.activateTarget'])

/**
 * One DevTools pipe, many clients. Each has a browser-level session of its own, and hears only of sessions that come
 * from it; numbers of calls are given anew. `pipe` is fd 3 and 4 of Chromium: messages that end in a zero byte.
 */
export function cdpSwitch(
  pipe: { toBrowser: Writable; fromBrowser: Readable },
  hooks: SwitchHooks,
): CdpSwitch {
  const members = new Map<Member, JoiningClient>()
  const tree = sessionTree()
  const calls = new Map<number, Call>()
  const activations = new Set<(targetId: string) => void>()
  let lastCall = 0
  /** Those who are in, and those who are about to be. */
  let guests = 0
  let hasEnded = false
  const pace = messagePace()
  const browser = browserPipe(pipe, { onMessage: route, onEnd: end })

  function call(entry: Call, params: object, sessionId?: string): boolean {
    const text = JSON.stringify({ id: lastCall + 1, method: entry.method, params, sessionId })
    lastCall += 1
    calls.set(lastCall, entry)
    return browser.write(text)
  }

  function join(client: JoiningClient): Promise<CdpClient> {
    if (hasEnded) return Promise.reject(new Error('The browser has gone'))
    const isGuest = client.kind === 'guest'
    if (isGuest && guests >= mostGuests) {
      return Promise.reject(new Error(`The browser has ${mostGuests} clients already`))
    }
    if (isGuest) guests += 1
    const { targetId } = client
    return new Promise((resolve, reject) => {
      // Not awaited: the client must be known before the next message is routed.
      const settle = ({ result, error }: Answer) => {
        if (result?.sessionId !== undefined) return resolve(enter(client, result.sessionId))
        if (isGuest) guests -= 1
        reject(new Error(error?.message ?? 'The browser has gone'))
      }
      if (targetId === undefined) call({ id: 0, method: 'Target.attachToBrowserTarget', settle }, {})
      else call({ id: 0, method: 'Target.attachToTarget', settle }, { targetId, flatten: true })
    })
  }

  function enter(client: JoiningClient, sessionId: string): CdpClient {
    const member = tree.addMember(sessionId)
    members.set(member, client)
    return {
      send(text) {
        if (!members.has(member)) return true
        const isInTime = client.kind === 'service' || pace.take(text.length)
        return receive(member, text) && isInTime
      },
      async drained() {
        await browser.drained()
        if (client.kind === 'guest') await pace.rested()
      },
      leave: () => leave(member),
    }
  }

  /** Answers what is not passed on, and keeps count of it. */
  function refuse(member: Member, text: string): boolean {
    deliver(member, text)
    const client = members.get(member)
    if (client?.kind === 'guest' && pace.refuse() === 'flood') {
      leave(member)
      client.closed('The session was ended: its clients do not stop to send messages that are refused.')
      hooks.onFlood()
    }
    return true
  }

  function receive(member: Member, text: string): boolean {
    const read = readMessage(text)
    if ('error' in read) return refuse(member, read.error)
    const { message } = read
    const sessionId = message.sessionId ?? member.rootSession
    if (!tree.isOf(member, sessionId) || message.sessionId === member.rootSession) {
      return refuse(member, errorAnswer({ id: message.id }, -32001, 'Session with given id not found.'))
    }
    if (member.openCalls >= mostOpenCalls) {
      return refuse(member, errorAnswer(message, -32000, `${mostOpenCalls} calls wait for an answer already`))
    }
    const isGuest = members.get(member)?.kind === 'guest'
    return isGuest ? judge(member, message, sessionId) : pass(member, message, sessionId)
  }

  function judge(member: Member, message: ClientMessage, sessionId: string): boolean {
    // A viewer that only watches acknowledges frames by itself, and uses nothing.
    if (message.method !== 'Page.screencastFrameAck') hooks.onActivity()
    const verdict = judgeMessage(message.method, message.params)
    if (verdict.kind === 'refuse') {
      const reason = `${message.method.slice(0, 100)} is refused: ${verdict.reason}`
      return refuse(member, errorAnswer(message, -32000, reason))
    }
    if (verdict.kind === 'pass') return pass(member, { ...message, params: verdict.params }, sessionId)
    deliver(member, resultAnswer(message, {}))
    hooks.onBrowserClose()
    return true
  }

  function callOf(member: Member, { id, method, params }: ClientMessage, sessionId: string): boolean {
    try {
      const isWritten = call({ member, id, method }, params, sessionId)
      member.openCalls += 1
      return isWritten
    } catch {
      // Nesting that can be read and not be written; Chromium would not take a hundredth of it.
      return refuse(member, errorAnswer({ id }, -32700, 'The message is nested too deeply'))
    }
  }

  function pass(member: Member, { id, method, params }: ClientMessage, sessionId: string): boolean {
    const isWritten = callOf(member, { id, method, params }, sessionId)
    const front = method === 'Page.bringToFront' ? tree.targetOf(sessionId) : params.targetId
    if (frontCalls.has(method) && typeof front === 'string') {
      for (const listener of activations) listener(front)
    }
    return isWritten
  }

  function route(text: string): void {
    const envelope = readEnvelope(text)
    if (envelope.id !== undefined) answer(envelope.id, envelope)
    else if (envelope.method !== undefined) announce(envelope.method, envelope)
  }

  function announce(method: string, envelope: Envelope): void {
    const member = envelope.sessionId === undefined ? undefined : tree.memberOf(envelope.sessionId)
    if (!method.startsWith('Target.')) {
      if (member) pushEvent(member, envelope)
      return
    }
    const event = readTargetEvent(envelope)
    if (event.attached) tree.attach(envelope.sessionId, event.attached)
    if (member && !event.isOfBrowser(member)) pushEvent(member, envelope)
    if (event.detached !== undefined) dismiss(tree.detach(event.detached))
  }

  function answer(number: number, envelope: Envelope): void {
    const found = calls.get(number)
    calls.delete(number)
    if (found?.settle) found.settle(JSON.parse(envelope.text))
    const { member, id, method } = found ?? {}
    if (!member || id === undefined) return
    member.openCalls -= 1
    const hidesSession = envelope.sessionId === member.rootSession
    const text = readdress(envelope, { id, hidesSession })
    deliver(member, method === 'Target.getTargets' ? withoutOtherBrowsers(text, member) : text)
  }

  function pushEvent(member: Member, envelope: Envelope): void {
    deliver(member, readdress(envelope, { hidesSession: envelope.sessionId === member.rootSession }))
  }

  function deliver(member: Member, text: string): boolean {
    const client = members.get(member)
    try {
      client?.receive(text)
    } catch {
      // One client that fails must not keep the others from hearing.
      leave(member)
      client?.closed()
    }
    return true
  }

  function leave(member: Member): void {
    if (!forget(member) || hasEnded) return
    // With its session end all that come from it, and pages that waited for its word go on.
    const { rootSession: sessionId } = member
    call({ id: 0, method: 'Target.detachFromTarget' }, { sessionId })
  }

  /** Its own session has ended: the browser has gone, or the page it had asked for. */
  function dismiss(member: Member | undefined): void {
    const client = member && members.get(member)
    if (member && forget(member)) client?.closed()
  }

  function forget(member: Member): boolean {
    tree.detach(member.rootSession)
    // Answers to somebody who left are dropped.
    for (const [number, { member: caller }] of calls) if (caller === member) calls.delete(number)
    if (members.get(member)?.kind === 'guest') guests -= 1
    return members.delete(member)
  }

  function end(): void {
    hasEnded = true
    const waiting = [...calls.values()]
    calls.clear()
    for (const { settle } of waiting) settle?.({})
    for (const member of members.keys()) dismiss(member)
  }

  return {
    join,
    onActivated(listener) {
      activations.add(listener)
      return () => activations.delete(listener)
    },
  }
}
