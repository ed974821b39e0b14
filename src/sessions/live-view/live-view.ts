import type { RawData, WebSocket } from 'ws'
import { listener } from '../../platform/functions.ts'
import { createTokenBucket } from '../../platform/token-bucket.ts'
import { dismiss, keepAlive } from '../../platform/web-sockets.ts'
import type { CdpMultiplexer } from '../cdp/multiplexer.ts'
import { type ViewerInput, viewerInput } from './input.ts'
import type { Frame } from './screencast.ts'
import { openTabStream, type Stage } from './tab-stream.ts'

export interface LiveView {
  /** Adds a WebSocket that watches, and controls if `isInteractive`. Frames are only produced while there is a viewer. */
  attach(socket: WebSocket, viewer: { isInteractive: boolean }): void
  close(): void
}

const maxViewers = 20
const maxTabs = 100
const stateIntervalMs = 100
/** Close code of an ended session. The page distinguishes it from a broken connection, and does not reconnect. */
const endedCode = 4410
const endedReason = 'It was closed, or it reached its time limit.'

interface View {
  stage: Promise<Stage>
  viewers: Set<Viewer>
  last: Frame | undefined
  telling: NodeJS.Timeout | undefined
  isClosed: boolean
  onActivity(): void
}

/** Shows one browser to several viewers: one stream of frames, sent to all of them. */
export function liveView(cdp: CdpMultiplexer, hooks: { onActivity(): void }): LiveView {
  const onBrowserEnd = () => endView(view, 'The browser has ended.')
  const view: View = {
    // Opened immediately, because the last opened page cannot be determined later.
    stage: openTabStream(cdp, {
      onFrame: (frame) => sendFrame(view, frame),
      onTabs: () => scheduleState(view),
      onGone: onBrowserEnd,
    }),
    viewers: new Set(),
    ...{ last: undefined, telling: undefined, isClosed: false },
    onActivity: () => hooks.onActivity(),
  }
  view.stage.then(() => scheduleState(view), onBrowserEnd)
  return {
    attach(socket, viewer) {
      const refusal = getRefusal(view)
      if (refusal) socket.close(refusal.code, refusal.reason)
      else addViewer(view, socket, viewer)
    },
    close: () => endView(view, endedReason),
  }
}

function withStage({ stage }: View, use: (tabStream: Stage) => unknown): void {
  void stage.then(use, () => {})
}

function getRefusal({ isClosed, viewers }: View): { code: number; reason: string } | undefined {
  if (isClosed) return { code: endedCode, reason: endedReason }
  return viewers.size < maxViewers ? undefined : { code: 1013, reason: `${maxViewers} people watch already.` }
}

function addViewer(view: View, socket: WebSocket, { isInteractive }: { isInteractive: boolean }): void {
  const { viewers } = view
  const viewer = openViewer(socket, isInteractive, {
    onInput: (input) => handleInput(view, viewer, input),
    onGone() {
      viewers.delete(viewer)
      if (viewers.size === 0) withStage(view, (tabStream) => viewers.size === 0 && tabStream.unwatch())
    },
  })
  viewers.add(viewer)
  withStage(view, (tabStream) => {
    if (viewers.size > 0) tabStream.watch()
    viewer.tell(getState(view, tabStream, viewer))
    if (view.last && viewers.size > 1) viewer.show(view.last.picture)
  })
}

function sendFrame(view: View, frame: Frame): void {
  const { last } = view
  const isResized =
    last?.viewport.width !== frame.viewport.width || last.viewport.height !== frame.viewport.height
  view.last = frame
  withStage(view, (tabStream) => {
    for (const viewer of view.viewers) {
      // The state is sent before the frame: otherwise a click on the frame would hit the wrong position.
      if (isResized) viewer.tell(getState(view, tabStream, viewer))
      viewer.show(frame.picture)
    }
  })
}

/** Title changes are reported at most ten times a second. */
function scheduleState(view: View): void {
  view.telling ??= setTimeout(() => {
    view.telling = undefined
    withStage(view, (tabStream) => {
      for (const viewer of view.viewers) viewer.tell(getState(view, tabStream, viewer))
    })
  }, stateIntervalMs)
}

function getState({ last }: View, tabStream: Stage, { isInteractive }: Viewer) {
  const active = tabStream.activeTab()
  const viewport = last?.viewport ?? { width: 0, height: 0 }
  const tabs = tabStream.tabs().slice(-maxTabs)
  return { type: 'state', isInteractive, active: active?.id ?? null, tabs, viewport }
}

function handleInput(view: View, viewer: Viewer, input: ViewerInput): void {
  view.onActivity()
  withStage(view, async (tabStream) => {
    const notice = await tabStream.act(input)
    const message = { type: 'notice', text: notice?.slice(0, 300) }
    if (notice) viewer.tell(message)
  })
}

function endView(view: View, reason: string): void {
  if (view.isClosed) return
  view.isClosed = true
  clearTimeout(view.telling)
  for (const viewer of view.viewers) viewer.close(endedCode, reason)
  view.viewers.clear()
  withStage(view, (tabStream) => tabStream.close())
}

interface Viewer {
  isInteractive: boolean
  /** Sends a message. Of the messages that arrive while another is being sent, only the newest of each kind is sent. */
  tell(message: { type: string } & object): void
  /** Sends a frame after the last one. Of the frames that arrive in the meantime, only the newest is sent. */
  show(picture: Buffer): void
  close(code: number, reason: string): void
}

/** Faster than any mouse movement. */
const inputRate = { perSecond: 250, atOnce: 500 }
const maxInputLength = 100_000
/** A client that has not read a frame within this time counts as disconnected. */
const maxSendingMs = 20_000

const frameKind = 'picture'

/** Creates a viewer of one WebSocket, which watches, and controls if allowed. */
function openViewer(
  socket: WebSocket,
  isInteractive: boolean,
  events: { onInput(input: ViewerInput): void; onGone(): void },
): Viewer {
  let isSending = false
  /** Pending data, the newest of each kind: messages before frames. */
  const pending = new Map<string, string | Buffer>()
  const inputs = createTokenBucket(inputRate)
  const stopPinging = keepAlive(socket)

  function enqueue(kind: string, message: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    pending.set(kind, message)
    if (!isSending) sendNext()
  }

  function sendNext(): void {
    const [next] = [...pending].sort(
      ([left], [right]) => Number(left === frameKind) - Number(right === frameKind),
    )
    isSending = next !== undefined && socket.readyState === socket.OPEN
    if (!next || !isSending) return
    const [kind, message] = next
    pending.delete(kind)
    const timeout = setTimeout(
      () => dismiss(socket, 1008, 'The client does not read the frames.'),
      maxSendingMs,
    )
    socket.send(message, () => {
      clearTimeout(timeout)
      sendNext()
    })
  }

  function onMessage(message: RawData): void {
    const text = String(message)
    if (inputs.take(1) < 0 || text.length > maxInputLength) {
      dismiss(socket, 1008, 'Too much input at once.')
      return
    }
    const input = readInput(text)
    if (input && isInteractive) events.onInput(input)
    else if (input) dismiss(socket, 1008, 'This view is read-only.')
  }

  socket.on(
    'message',
    listener(onMessage, () => socket.terminate()),
  )
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    events.onGone()
  })

  return {
    isInteractive,
    tell: (message) => enqueue(message.type, JSON.stringify(message)),
    show: (frame) => enqueue(frameKind, frame),
    close: (code, reason) => dismiss(socket, code, reason),
  }
}

function readInput(text: string): ViewerInput | undefined {
  try {
    return viewerInput.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
