import type { RawData, WebSocket } from 'ws'
import { listener } from '../../platform/functions.ts'
import { createTokenBucket } from '../../platform/token-bucket.ts'
import { closeSocket, keepAlive } from '../../platform/web-sockets.ts'
import type { CdpMultiplexer } from '../cdp/multiplexer.ts'
import { type ViewerInput, viewerInput } from './input.ts'
import type { Frame } from './screencast.ts'
import { openTabStream, type TabStream } from './tab-stream.ts'

export type LiveView = ReturnType<typeof createLiveView>

const maxViewers = 20
const maxTabs = 100
const stateIntervalMs = 100
/** Close code of an ended session. The viewer page does not reconnect after it, unlike after a lost connection. */
const endedCode = 4410
const endedReason = 'It was closed, or it reached its time limit.'

interface View {
  tabStream: Promise<TabStream>
  viewers: Set<Viewer>
  last: Frame | undefined
  stateTimer: NodeJS.Timeout | undefined
  isClosed: boolean
  onActivity(): void
}

export function createLiveView(cdp: CdpMultiplexer, hooks: { onActivity(): void }) {
  const onBrowserEnd = () => endView(view, 'The browser has ended.')
  const view: View = {
    // Opened immediately, because the order in which pages were opened cannot be determined later.
    tabStream: openTabStream(cdp, {
      onFrame: (frame) => sendFrame(view, frame),
      onTabs: () => scheduleState(view),
      onBrowserEnd,
    }),
    viewers: new Set(),
    ...{ last: undefined, stateTimer: undefined, isClosed: false },
    onActivity: () => hooks.onActivity(),
  }
  view.tabStream.then(() => scheduleState(view), onBrowserEnd)
  return {
    /** Adds a viewer. Unless `isInteractive`, input is rejected. Without viewers, no frames are produced. */
    attach(socket: WebSocket, viewer: { isInteractive: boolean }): void {
      if (view.isClosed) socket.close(endedCode, endedReason)
      else if (view.viewers.size >= maxViewers) socket.close(1013, `${maxViewers} people watch already.`)
      else addViewer(view, socket, viewer)
    },
    close: () => endView(view, endedReason),
  }
}

function withTabStream({ tabStream }: View, use: (tabStream: TabStream) => unknown): void {
  void tabStream.then(use, () => {})
}

function addViewer(view: View, socket: WebSocket, { isInteractive }: { isInteractive: boolean }): void {
  const { viewers } = view
  const viewer = openViewer(socket, isInteractive, {
    onInput: (input) => handleInput(view, viewer, input),
    onDisconnect() {
      viewers.delete(viewer)
      if (viewers.size === 0) withTabStream(view, (tabStream) => viewers.size === 0 && tabStream.unwatch())
    },
  })
  viewers.add(viewer)
  withTabStream(view, (tabStream) => {
    if (viewers.size > 0) tabStream.watch()
    viewer.sendMessage(getState(view, tabStream, viewer))
    if (view.last && viewers.size > 1) viewer.sendFrame(view.last.image)
  })
}

function sendFrame(view: View, frame: Frame): void {
  const { last } = view
  const isResized =
    last?.viewport.width !== frame.viewport.width || last.viewport.height !== frame.viewport.height
  view.last = frame
  withTabStream(view, (tabStream) => {
    for (const viewer of view.viewers) {
      // The state is sent before the frame: otherwise a click on the frame would hit the wrong position.
      if (isResized) viewer.sendMessage(getState(view, tabStream, viewer))
      viewer.sendFrame(frame.image)
    }
  })
}

function scheduleState(view: View): void {
  view.stateTimer ??= setTimeout(() => {
    view.stateTimer = undefined
    withTabStream(view, (tabStream) => {
      for (const viewer of view.viewers) viewer.sendMessage(getState(view, tabStream, viewer))
    })
  }, stateIntervalMs)
}

function getState({ last }: View, tabStream: TabStream, { isInteractive }: Viewer) {
  const active = tabStream.activeTab()
  const viewport = last?.viewport ?? { width: 0, height: 0 }
  const tabs = tabStream.tabs().slice(-maxTabs)
  return { type: 'state', isInteractive, active: active?.id ?? null, tabs, viewport }
}

function handleInput(view: View, viewer: Viewer, input: ViewerInput): void {
  view.onActivity()
  withTabStream(view, async (tabStream) => {
    const notice = await tabStream.act(input)
    if (notice) viewer.sendMessage({ type: 'notice', text: notice.slice(0, 300) })
  })
}

function endView(view: View, reason: string): void {
  if (view.isClosed) return
  view.isClosed = true
  clearTimeout(view.stateTimer)
  for (const viewer of view.viewers) viewer.close(endedCode, reason)
  view.viewers.clear()
  withTabStream(view, (tabStream) => tabStream.close())
}

type Viewer = ReturnType<typeof openViewer>

const inputRate = { perSecond: 250, burst: 500 }
const maxInputLength = 100_000
const maxSendingMs = 20_000

const frameKind = 'picture'

function openViewer(
  socket: WebSocket,
  isInteractive: boolean,
  events: { onInput(input: ViewerInput): void; onDisconnect(): void },
) {
  let isSending = false
  /** Newest pending data of each type. Messages are sent before frames. */
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
    const disconnect = () => closeSocket(socket, 1008, 'The client does not read the frames.')
    const timeout = setTimeout(disconnect, maxSendingMs)
    socket.send(message, () => {
      clearTimeout(timeout)
      sendNext()
    })
  }

  function onMessage(message: RawData): void {
    const text = String(message)
    if (inputs.take(1) < 0 || text.length > maxInputLength) {
      closeSocket(socket, 1008, 'Too much input at once.')
      return
    }
    const input = readInput(text)
    if (input && isInteractive) events.onInput(input)
    else if (input) closeSocket(socket, 1008, 'This view is read-only.')
  }

  socket.on(
    'message',
    listener(onMessage, () => socket.terminate()),
  )
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    events.onDisconnect()
  })

  return {
    isInteractive,
    /** While other data is being sent, only the newest frame and the newest message of each type are buffered. */
    sendMessage: (message: { type: string; [field: string]: unknown }) =>
      enqueue(message.type, JSON.stringify(message)),
    sendFrame: (image: Buffer) => enqueue(frameKind, image),
    close: (code: number, reason: string) => closeSocket(socket, code, reason),
  }
}

function readInput(text: string): ViewerInput | undefined {
  try {
    return viewerInput.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
