import type { Readable, Writable } from 'node:stream'
import { bounds, exceeds } from '../../platform/bounds.ts'
import { jsonBeyond } from '../../platform/json/json.ts'
import { type CdpParams, checkMessage } from './allow-list.ts'
import { browserPipe } from './pipe.ts'
import {
  type Answer,
  type Attached,
  call,
  deliver,
  dismiss,
  end,
  type JoiningClient,
  leave,
  type Member,
  messagePace,
  type Switchboard,
  type SwitchHooks,
  sessionTree,
} from './switchboard.ts'

interface ClientMessage {
  id: number
  method: string
  params: CdpParams
  sessionId?: string
}

const most = { levels: bounds.MAX_DEVTOOLS_DEPTH.most, values: bounds.MAX_DEVTOOLS_VALUES.most }
const callHead = /^\{"id":(\d{1,15}),/

type MessageRead = { message: ClientMessage } | { error: string }

/** The message of a client, or the error to answer. Only the four known members are forwarded. */
function readMessage(text: string): MessageRead {
  // Before it is parsed: megabytes of brackets would take gigabytes of memory, and seconds of the main thread.
  const beyond = jsonBeyond(Buffer.from(text), most)
  if (beyond) {
    const id = callHead.exec(text)?.[1]
    const call = id === undefined ? undefined : { id: Number(id) }
    const bound = beyond === 'levels' ? 'MAX_DEVTOOLS_DEPTH' : 'MAX_DEVTOOLS_VALUES'
    return { error: errorAnswer(call, -32700, exceeds(bound)) }
  }
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

interface CallAddress {
  id: number
  sessionId?: string
}

function errorAnswer(call: CallAddress | undefined, code: number, message: string): string {
  return JSON.stringify({ id: call?.id, error: { code, message }, sessionId: call?.sessionId })
}

function isObject(value: unknown): value is CdpParams {
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

interface Envelope {
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
function readEnvelope(text: string): Envelope {
  const sessionId = sessionTail.exec(text.slice(-100))?.[1]
  const session = sessionId === undefined ? {} : { sessionId }
  const start = text.slice(0, 120)
  const id = answerHead.exec(start)?.[1]
  if (id !== undefined) return { id: Number(id), ...session, text }
  const method = eventHead.exec(start)?.[1]
  return { ...(method === undefined ? {} : { method }), ...session, text }
}

/** The same message with another id, and without its session if that is the client's own. */
function readdress(envelope: Envelope, to: { id?: number; hidesSession: boolean }): string {
  const { text, id, sessionId } = envelope
  const isCut = to.hidesSession && sessionId !== undefined
  const end = isCut ? text.length - `,"sessionId":"${sessionId}"}`.length : text.length
  const closing = isCut ? '}' : ''
  if (id === undefined || to.id === undefined) return isCut ? text.slice(0, end) + closing : text
  return `{"id":${to.id}${text.slice(`{"id":${id}`.length, end)}${closing}`
}

export type { JoiningClient, SwitchHooks } from './switchboard.ts'

export interface CdpMultiplexer {
  /** Adds a client of the browser; resolves when it has its own session. */
  join(client: JoiningClient): Promise<CdpClient>
  /** Calls back with a page whenever a client brings it to the front; returns a function that stops it. */
  onActivated(listener: (targetId: string) => void): () => void
}

export interface CdpClient {
  /** False if the browser does not keep up, or clients call faster than allowed: wait for `drained` before the next one. */
  send(message: string): boolean
  drained(): Promise<void>
  leave(): void
}

const maxClients = 32

/**
 * One DevTools pipe, many clients. Each has its own browser-level session, and only sees sessions that descend
 * from it; call ids are rewritten. `pipe` is fd 3 and 4 of Chromium: messages that end in a zero byte.
 */
export function createCdpMultiplexer(
  pipe: { toBrowser: Writable; fromBrowser: Readable },
  hooks: SwitchHooks,
): CdpMultiplexer {
  const board: Switchboard = {
    hooks,
    pace: messagePace(),
    tree: sessionTree(),
    ...{ members: new Map(), guests: 0, calls: new Map(), lastCall: 0 },
    ...{ activations: new Set(), hasEnded: false },
    browser: browserPipe(pipe, { onMessage: (text) => route(board, text), onEnd: () => end(board) }),
  }
  return {
    join: (client) => join(board, client),
    onActivated(listener) {
      board.activations.add(listener)
      return () => board.activations.delete(listener)
    },
  }
}

function join(board: Switchboard, client: JoiningClient): Promise<CdpClient> {
  if (board.hasEnded) return Promise.reject(new Error('The browser has ended'))
  const isGuest = client.kind === 'guest'
  if (isGuest && board.guests >= maxClients) {
    return Promise.reject(new Error(`The browser already has ${maxClients} clients`))
  }
  if (isGuest) board.guests += 1
  const { targetId } = client
  return new Promise((resolve, reject) => {
    // Not awaited: the client must be known before the next message is routed.
    const settle = ({ result, error }: Answer) => {
      if (result?.sessionId !== undefined) return resolve(enter(board, client, result.sessionId))
      if (isGuest) board.guests -= 1
      reject(new Error(error?.message ?? 'The browser has ended'))
    }
    const [method, params] =
      targetId === undefined
        ? ['Target.attachToBrowserTarget', {}]
        : ['Target.attachToTarget', { targetId, flatten: true }]
    call(board, { id: 0, method, settle }, { params })
  })
}

function enter(board: Switchboard, client: JoiningClient, sessionId: string): CdpClient {
  const { browser, pace, members } = board
  const member = board.tree.addMember(sessionId)
  members.set(member, client)
  return {
    send(text) {
      if (!members.has(member)) return true
      const isInTime = client.kind === 'service' || pace.take(text.length)
      return receive(board, member, text) && isInTime
    },
    async drained() {
      await browser.drained()
      if (client.kind === 'guest') await pace.rested()
    },
    leave: () => leave(board, member),
  }
}

/** Routes a message of the browser to its client. */
function route(board: Switchboard, text: string): void {
  const envelope = readEnvelope(text)
  if (envelope.id !== undefined) answer(board, envelope.id, envelope)
  else if (envelope.method !== undefined) announce(board, envelope.method, envelope)
}

function answer(board: Switchboard, number: number, envelope: Envelope): void {
  const found = board.calls.get(number)
  board.calls.delete(number)
  if (found?.settle) found.settle(JSON.parse(envelope.text))
  const { member, id, method } = found ?? {}
  if (!member || id === undefined) return
  member.openCalls -= 1
  const hidesSession = envelope.sessionId === member.rootSession
  const text = readdress(envelope, { id, hidesSession })
  deliver(board, member, method === 'Target.getTargets' ? withoutOtherBrowsers(text, member) : text)
}

function announce(board: Switchboard, method: string, envelope: Envelope): void {
  const { tree } = board
  const member = envelope.sessionId === undefined ? undefined : tree.memberOf(envelope.sessionId)
  if (!method.startsWith('Target.')) {
    if (member) pushEvent(board, member, envelope)
    return
  }
  const event = readTargetEvent(envelope)
  if (event.attached) tree.attach(envelope.sessionId, event.attached)
  if (member && !event.isOfBrowser(member)) pushEvent(board, member, envelope)
  if (event.detached !== undefined) dismiss(board, tree.detach(event.detached))
}

function pushEvent(board: Switchboard, member: Member, envelope: Envelope): void {
  const hidesSession = envelope.sessionId === member.rootSession
  deliver(board, member, readdress(envelope, { hidesSession }))
}

interface TargetEvent {
  attached?: Attached
  /** The session that ended. */
  detached?: string
  /** It reports a browser target of another client. */
  isOfBrowser(member: Member): boolean
}

/** What an event of the `Target` domain means for the routing of sessions. */
function readTargetEvent({ method, text }: Envelope): TargetEvent {
  const parsed: unknown = JSON.parse(text)
  const params = isObject(parsed) && isObject(parsed.params) ? parsed.params : {}
  const { sessionId, targetInfo } = params
  const isOfBrowser = (member: Member) => isOtherBrowser(targetInfo, member)
  if (typeof sessionId !== 'string') return { isOfBrowser }
  if (method === 'Target.detachedFromTarget') return { detached: sessionId, isOfBrowser }
  if (method !== 'Target.attachedToTarget' || !isObject(targetInfo)) return { isOfBrowser }
  const isBrowser = targetInfo.type === 'browser'
  return { attached: { sessionId, targetId: String(targetInfo.targetId), isBrowser }, isOfBrowser }
}

/** The answer to `Target.getTargets` as if the client were the only one. */
function withoutOtherBrowsers(text: string, member: Member): string {
  const parsed: unknown = JSON.parse(text)
  if (!isObject(parsed) || !isObject(parsed.result) || !Array.isArray(parsed.result.targetInfos)) return text
  const targetInfos = parsed.result.targetInfos.filter((target) => !isOtherBrowser(target, member))
  return JSON.stringify({ ...parsed, result: { ...parsed.result, targetInfos } })
}

function isOtherBrowser(target: unknown, member: Member): boolean {
  if (!isObject(target) || target.type !== 'browser') return false
  return !member.browserTargets.has(String(target.targetId))
}

/** Calls of one client that the browser has not answered. */
const maxOpenCalls = 20_000
/** Chromium has no event for this, so the call is observed on its way to the browser. */
const frontCalls = new Set(['Page.bringToFront', 'Target.activateTarget'])

/** A message with its target session. */
type Addressed = ClientMessage & { sessionId: string }

/** Handles a message of a client: forwards it to the browser, or answers it. False if the browser does not keep up. */
function receive(board: Switchboard, member: Member, text: string): boolean {
  const read = readMessage(text)
  if ('error' in read) return refuse(board, member, read.error)
  const { message } = read
  const sessionId = message.sessionId ?? member.rootSession
  if (board.tree.memberOf(sessionId) !== member || message.sessionId === member.rootSession) {
    const answer = errorAnswer({ id: message.id }, -32001, 'Session with given id not found.')
    return refuse(board, member, answer)
  }
  if (member.openCalls >= maxOpenCalls) {
    const answer = errorAnswer(message, -32000, `${maxOpenCalls} calls already wait for an answer`)
    return refuse(board, member, answer)
  }
  const isGuest = board.members.get(member)?.kind === 'guest'
  return isGuest ? judge(board, member, message) : pass(board, member, { ...message, sessionId })
}

/** Answers and counts messages that are not forwarded. */
function refuse(board: Switchboard, member: Member, answer: string): boolean {
  deliver(board, member, answer)
  const client = board.members.get(member)
  if (client?.kind === 'guest' && board.pace.isFlood()) {
    leave(board, member)
    client.closed('The session ended because its clients kept sending forbidden messages.')
    board.hooks.onFlood()
  }
  return true
}

function judge(board: Switchboard, member: Member, message: ClientMessage): boolean {
  // A passive viewer acknowledges frames automatically, which does not count as activity.
  if (message.method !== 'Page.screencastFrameAck') board.hooks.onActivity()
  const verdict = checkMessage(message.method, message.params)
  if (verdict.kind === 'refuse') {
    const reason = `${message.method.slice(0, 100)} is refused: ${verdict.reason}`
    return refuse(board, member, errorAnswer(message, -32000, reason))
  }
  if (verdict.kind === 'pass') {
    const { sessionId = member.rootSession } = message
    return pass(board, member, { ...message, params: verdict.params, sessionId })
  }
  deliver(board, member, JSON.stringify({ id: message.id, result: {}, sessionId: message.sessionId }))
  board.hooks.onBrowserClose()
  return true
}

function pass(board: Switchboard, member: Member, message: Addressed): boolean {
  const isWritten = callFor(board, member, message)
  const { method, params, sessionId } = message
  const front = method === 'Page.bringToFront' ? board.tree.targetOf(sessionId) : params.targetId
  if (frontCalls.has(method) && typeof front === 'string') {
    for (const listener of board.activations) listener(front)
  }
  return isWritten
}

function callFor(board: Switchboard, member: Member, { id, method, params, sessionId }: Addressed): boolean {
  const isWritten = call(board, { member, id, method }, { params, sessionId })
  member.openCalls += 1
  return isWritten
}
