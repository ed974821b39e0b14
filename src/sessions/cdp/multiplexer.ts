import type { Readable, Writable } from 'node:stream'
import { bounds, formatBoundError } from '../../platform/bounds.ts'
import { findExceededJsonLimit } from '../../platform/json/json.ts'
import { type CdpParams, checkMessage } from './allow-list.ts'
import { createBrowserPipe } from './pipe.ts'
import {
  type CallResponse,
  type ConnectingClient,
  call,
  createMessageLimiter,
  createSessionTree,
  deliver,
  disconnect,
  end,
  type Member,
  type MultiplexerHooks,
  type MultiplexerState,
  removeEndedClient,
} from './switchboard.ts'

interface ClientMessage {
  id: number
  method: string
  params: CdpParams
  sessionId?: string
}

const maxSizes = { levels: bounds.MAX_DEVTOOLS_DEPTH.most, values: bounds.MAX_DEVTOOLS_VALUES.most }
const callPrefix = /^\{"id":(\d{1,15}),/

function readMessage(text: string): { message: ClientMessage } | { error: string } {
  // Before parsing: megabytes of brackets would take gigabytes of memory, and block the main thread for seconds.
  const exceeded = findExceededJsonLimit(Buffer.from(text), maxSizes)
  if (exceeded) {
    const id = callPrefix.exec(text)?.[1]
    const call = id === undefined ? undefined : { id: Number(id) }
    const bound = exceeded === 'levels' ? 'MAX_DEVTOOLS_DEPTH' : 'MAX_DEVTOOLS_VALUES'
    return { error: errorResponse(call, -32700, formatBoundError(bound)) }
  }
  const parsed = parse(text)
  if (parsed === undefined) return { error: errorResponse(undefined, -32700, 'The message is not JSON') }
  if (!isObject(parsed)) return { error: errorResponse(undefined, -32600, 'The message must be an object') }
  const { id, method, params = {}, sessionId } = parsed
  if (!Number.isSafeInteger(id) || typeof id !== 'number') {
    return { error: errorResponse(undefined, -32600, "The message needs an integer 'id'") }
  }
  const call = { id, sessionId: typeof sessionId === 'string' ? sessionId : undefined }
  const reject = (reason: string) => ({ error: errorResponse(call, -32600, reason) })
  if (typeof method !== 'string') return reject("The message needs a string 'method'")
  if (!isObject(params)) return reject("'params' must be an object")
  if (sessionId !== undefined && typeof sessionId !== 'string') return reject("'sessionId' must be a string")
  // An empty session id counts as missing, as in Chromium.
  return { message: { id, method, params, ...(sessionId ? { sessionId } : {}) } }
}

function errorResponse(
  call: { id: number; sessionId?: string | undefined } | undefined,
  code: number,
  message: string,
): string {
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

type Envelope = ReturnType<typeof readEnvelope>

const responsePrefix = /^\{"id":(-?\d+),/
const eventPrefix = /^\{"method":"([^"\\]+)"/
const sessionSuffix = /,"sessionId":"([^"\\]+)"\}$/

/** Routes megabytes without parsing. A string in the message cannot imitate these patterns: its quotes are escaped. */
function readEnvelope(text: string) {
  const start = text.slice(0, 120)
  const id = responsePrefix.exec(start)?.[1]
  return {
    id: id === undefined ? undefined : Number(id),
    method: eventPrefix.exec(start)?.[1],
    sessionId: sessionSuffix.exec(text.slice(-100))?.[1],
    text,
  }
}

function rewriteMessage(envelope: Envelope, options: { id?: number; hidesSession: boolean }): string {
  const { text, id, sessionId } = envelope
  const isCut = options.hidesSession && sessionId !== undefined
  const end = isCut ? text.length - `,"sessionId":"${sessionId}"}`.length : text.length
  const closing = isCut ? '}' : ''
  if (id === undefined || options.id === undefined) return isCut ? text.slice(0, end) + closing : text
  return `{"id":${options.id}${text.slice(`{"id":${id}`.length, end)}${closing}`
}

export type { ConnectingClient, MultiplexerHooks } from './switchboard.ts'

export type CdpMultiplexer = ReturnType<typeof createCdpMultiplexer>
export type CdpClient = ReturnType<typeof addClient>

const maxClients = 32

/** Each client has its own browser-level session, and gets only messages of sessions that descend from it. */
export function createCdpMultiplexer(
  pipe: { toBrowser: Writable; fromBrowser: Readable },
  hooks: MultiplexerHooks,
) {
  const state: MultiplexerState = {
    hooks,
    limiter: createMessageLimiter(),
    tree: createSessionTree(),
    ...{ members: new Map(), externalClientCount: 0, calls: new Map(), lastCall: 0 },
    ...{ activationListeners: new Set(), hasEnded: false },
    browser: createBrowserPipe(pipe, { onMessage: (text) => route(state, text), onEnd: () => end(state) }),
  }
  return {
    join: (client: ConnectingClient) => join(state, client),
    onActivated(listener: (targetId: string) => void): () => void {
      state.activationListeners.add(listener)
      return () => state.activationListeners.delete(listener)
    },
  }
}

function join(state: MultiplexerState, client: ConnectingClient): Promise<CdpClient> {
  if (state.hasEnded) return Promise.reject(new Error('The browser has ended'))
  const isExternal = client.kind === 'guest'
  if (isExternal && state.externalClientCount >= maxClients) {
    return Promise.reject(new Error(`The browser already has ${maxClients} clients`))
  }
  if (isExternal) state.externalClientCount += 1
  const { targetId } = client
  return new Promise((resolve, reject) => {
    // A callback instead of a promise: the client must be registered before the next message is routed.
    const settle = ({ result, error }: CallResponse) => {
      if (result?.sessionId !== undefined) return resolve(addClient(state, client, result.sessionId))
      if (isExternal) state.externalClientCount -= 1
      reject(new Error(error?.message ?? 'The browser has ended'))
    }
    const [method, params] =
      targetId === undefined
        ? ['Target.attachToBrowserTarget', {}]
        : ['Target.attachToTarget', { targetId, flatten: true }]
    call(state, { id: 0, method, settle }, { params })
  })
}

function addClient(state: MultiplexerState, client: ConnectingClient, sessionId: string) {
  const { browser, limiter, members } = state
  const member = state.tree.addMember(sessionId)
  members.set(member, client)
  return {
    /** Returns false if the browser reads too slowly, or if clients send too fast. Then wait for `drained`. */
    send(text: string): boolean {
      if (!members.has(member)) return true
      const isInTime = client.kind === 'service' || limiter.take(text.length)
      return handleMessage(state, member, text) && isInTime
    },
    async drained(): Promise<void> {
      await browser.drained()
      if (client.kind === 'guest') await limiter.whenAllowed()
    },
    disconnect: () => disconnect(state, member),
  }
}

function route(state: MultiplexerState, text: string): void {
  const envelope = readEnvelope(text)
  if (envelope.id !== undefined) routeResponse(state, envelope.id, envelope)
  else if (envelope.method !== undefined) routeEvent(state, envelope.method, envelope)
}

function routeResponse(state: MultiplexerState, callId: number, envelope: Envelope): void {
  const pendingCall = state.calls.get(callId)
  state.calls.delete(callId)
  if (pendingCall?.settle) pendingCall.settle(JSON.parse(envelope.text))
  const { member, id, method } = pendingCall ?? {}
  if (!member || id === undefined) return
  member.openCalls -= 1
  const hidesSession = envelope.sessionId === member.rootSession
  const text = rewriteMessage(envelope, { id, hidesSession })
  deliver(state, member, method === 'Target.getTargets' ? withoutOtherBrowsers(text, member) : text)
}

function routeEvent(state: MultiplexerState, method: string, envelope: Envelope): void {
  const { tree } = state
  const member = envelope.sessionId === undefined ? undefined : tree.memberOf(envelope.sessionId)
  if (!method.startsWith('Target.')) {
    if (member) pushEvent(state, member, envelope)
    return
  }
  const parsed: unknown = JSON.parse(envelope.text)
  const { sessionId, targetInfo } = isObject(parsed) && isObject(parsed.params) ? parsed.params : {}
  if (method === 'Target.attachedToTarget' && typeof sessionId === 'string' && isObject(targetInfo)) {
    const isBrowser = targetInfo.type === 'browser'
    tree.attach(envelope.sessionId, { sessionId, targetId: String(targetInfo.targetId), isBrowser })
  }
  if (member && !isOtherBrowser(targetInfo, member)) pushEvent(state, member, envelope)
  if (method === 'Target.detachedFromTarget' && typeof sessionId === 'string')
    removeEndedClient(state, tree.detach(sessionId))
}

function pushEvent(state: MultiplexerState, member: Member, envelope: Envelope): void {
  const hidesSession = envelope.sessionId === member.rootSession
  deliver(state, member, rewriteMessage(envelope, { hidesSession }))
}

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

const maxOpenCalls = 20_000
/** Chromium has no event for a page that is brought to the front, so the calls are observed. */
const activatingMethods = new Set(['Page.bringToFront', 'Target.activateTarget'])

function handleMessage(state: MultiplexerState, member: Member, text: string): boolean {
  const result = readMessage(text)
  if ('error' in result) return rejectMessage(state, member, result.error)
  const { message } = result
  const sessionId = message.sessionId ?? member.rootSession
  if (state.tree.memberOf(sessionId) !== member || message.sessionId === member.rootSession) {
    const response = errorResponse({ id: message.id }, -32001, 'Session with given id not found.')
    return rejectMessage(state, member, response)
  }
  if (member.openCalls >= maxOpenCalls) {
    const response = errorResponse(message, -32000, `${maxOpenCalls} calls already wait for an answer`)
    return rejectMessage(state, member, response)
  }
  const isExternal = state.members.get(member)?.kind === 'guest'
  return (isExternal ? checkAndForward : forward)(state, member, message)
}

function rejectMessage(state: MultiplexerState, member: Member, response: string): boolean {
  deliver(state, member, response)
  const client = state.members.get(member)
  if (client?.kind === 'guest' && state.limiter.countRefusal()) {
    disconnect(state, member)
    client.closed('The session ended because its clients kept sending forbidden messages.')
    state.hooks.onFlood()
  }
  return true
}

function checkAndForward(state: MultiplexerState, member: Member, message: ClientMessage): boolean {
  // A passive viewer acknowledges frames automatically, which does not count as activity.
  if (message.method !== 'Page.screencastFrameAck') state.hooks.onActivity()
  const decision = checkMessage(message.method, message.params)
  if (decision.kind === 'refuse') {
    const reason = `${message.method.slice(0, 100)} is refused: ${decision.reason}`
    return rejectMessage(state, member, errorResponse(message, -32000, reason))
  }
  if (decision.kind === 'pass') return forward(state, member, { ...message, params: decision.params })
  deliver(state, member, JSON.stringify({ id: message.id, result: {}, sessionId: message.sessionId }))
  state.hooks.onBrowserClose()
  return true
}

function forward(state: MultiplexerState, member: Member, message: ClientMessage): boolean {
  const { id, method, params, sessionId = member.rootSession } = message
  const isWritten = call(state, { member, id, method }, { params, sessionId })
  member.openCalls += 1
  const activatedId = method === 'Page.bringToFront' ? state.tree.targetOf(sessionId) : params.targetId
  if (activatingMethods.has(method) && typeof activatedId === 'string') {
    for (const listener of state.activationListeners) listener(activatedId)
  }
  return isWritten
}
