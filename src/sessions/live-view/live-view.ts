import type { RawData, WebSocket } from 'ws'
import { listener } from '../../platform/functions.ts'
import { bucket } from '../../platform/token-bucket.ts'
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
const tellEvery = 100
/** The page distinguishes this end from a broken connection, and does not reconnect. */
const ended = 4410
const timeUp = 'It was closed, or it reached its time limit.'

interface View {
  stage: Promise<Stage>
  viewers: Set<Viewer>
  last: Frame | undefined
  telling: NodeJS.Timeout | undefined
  isClosed: boolean
  onActivity(): void
}

/** One browser on several screens: one stream of frames, sent to all viewers. */
export function liveView(cdp: CdpMultiplexer, hooks: { onActivity(): void }): LiveView {
  const gone = () => end(view, 'The browser has ended.')
  const view: View = {
    // From the start, because the last opened page cannot be determined later.
    stage: openTabStream(cdp, {
      onFrame: (frame) => showAll(view, frame),
      onTabs: () => tellAll(view),
      onGone: gone,
    }),
    viewers: new Set(),
    ...{ last: undefined, telling: undefined, isClosed: false },
    onActivity: () => hooks.onActivity(),
  }
  view.stage.then(() => tellAll(view), gone)
  return {
    attach(socket, viewer) {
      const refusal = refusalOf(view)
      if (refusal) socket.close(refusal.code, refusal.reason)
      else attach(view, socket, viewer)
    },
    close: () => end(view, timeUp),
  }
}

function onStage({ stage }: View, use: (opened: Stage) => unknown): void {
  void stage.then(use, () => {})
}

function refusalOf({ isClosed, viewers }: View): { code: number; reason: string } | undefined {
  if (isClosed) return { code: ended, reason: timeUp }
  return viewers.size < maxViewers ? undefined : { code: 1013, reason: `${maxViewers} people watch already.` }
}

function attach(view: View, socket: WebSocket, { isInteractive }: { isInteractive: boolean }): void {
  const { viewers } = view
  const viewer = openViewer(socket, isInteractive, {
    onInput: (input) => steer(view, viewer, input),
    onGone() {
      viewers.delete(viewer)
      if (viewers.size === 0) onStage(view, (opened) => viewers.size === 0 && opened.unwatch())
    },
  })
  viewers.add(viewer)
  onStage(view, (opened) => {
    if (viewers.size > 0) opened.watch()
    viewer.tell(stateOf(view, opened, viewer))
    if (view.last && viewers.size > 1) viewer.show(view.last.picture)
  })
}

function showAll(view: View, frame: Frame): void {
  const { last } = view
  const isResized =
    last?.viewport.width !== frame.viewport.width || last.viewport.height !== frame.viewport.height
  view.last = frame
  onStage(view, (opened) => {
    for (const viewer of view.viewers) {
      // Before the frame: otherwise a click on it would hit the wrong position.
      if (isResized) viewer.tell(stateOf(view, opened, viewer))
      viewer.show(frame.picture)
    }
  })
}

/** Title changes are reported at most ten times a second. */
function tellAll(view: View): void {
  view.telling ??= setTimeout(() => {
    view.telling = undefined
    onStage(view, (opened) => {
      for (const viewer of view.viewers) viewer.tell(stateOf(view, opened, viewer))
    })
  }, tellEvery)
}

function stateOf({ last }: View, opened: Stage, { isInteractive }: Viewer) {
  const active = opened.activeTab()
  const viewport = last?.viewport ?? { width: 0, height: 0 }
  const tabs = opened.tabs().slice(-maxTabs)
  return { type: 'state', isInteractive, active: active?.id ?? null, tabs, viewport }
}

function steer(view: View, viewer: Viewer, input: ViewerInput): void {
  view.onActivity()
  onStage(view, async (opened) => {
    const notice = await opened.act(input)
    const told = { type: 'notice', text: notice?.slice(0, 300) }
    if (notice) viewer.tell(told)
  })
}

function end(view: View, reason: string): void {
  if (view.isClosed) return
  view.isClosed = true
  clearTimeout(view.telling)
  for (const viewer of view.viewers) viewer.close(ended, reason)
  view.viewers.clear()
  onStage(view, (opened) => opened.close())
}

interface Viewer {
  isInteractive: boolean
  /** Like frames: of the messages that arrive while the last one is being sent, only the newest of each kind is sent. */
  tell(message: { type: string } & object): void
  /** Sent when the last frame has been sent; of the frames that arrive in the meantime only the newest is sent. */
  show(picture: Buffer): void
  close(code: number, reason: string): void
}

/** Faster than any mouse movement. */
const pace = { perSecond: 250, atOnce: 500 }
const maxInput = 100_000
/** A client that has not read a frame by then counts as gone. */
const maxSendingMs = 20_000

const picture = 'picture'

/** One WebSocket that watches, and controls if allowed. */
function openViewer(
  socket: WebSocket,
  isInteractive: boolean,
  events: { onInput(input: ViewerInput): void; onGone(): void },
): Viewer {
  let isSending = false
  /** Pending data, the newest of each kind: messages before frames. */
  const waiting = new Map<string, string | Buffer>()
  const inputs = bucket(pace)
  const stopPinging = keepAlive(socket)

  function put(kind: string, message: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    waiting.set(kind, message)
    if (!isSending) sendNext()
  }

  function sendNext(): void {
    const [next] = [...waiting].sort(
      ([left], [right]) => Number(left === picture) - Number(right === picture),
    )
    isSending = next !== undefined && socket.readyState === socket.OPEN
    if (!next || !isSending) return
    const [kind, message] = next
    waiting.delete(kind)
    const late = setTimeout(() => dismiss(socket, 1008, 'The client does not read the frames.'), maxSendingMs)
    socket.send(message, () => {
      clearTimeout(late)
      sendNext()
    })
  }

  function read(message: RawData): void {
    const text = String(message)
    if (inputs.take(1) < 0 || text.length > maxInput) {
      dismiss(socket, 1008, 'Too much input at once.')
      return
    }
    const input = readInput(text)
    if (input && isInteractive) events.onInput(input)
    else if (input) dismiss(socket, 1008, 'This view is read-only.')
  }

  socket.on(
    'message',
    listener(read, () => socket.terminate()),
  )
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    events.onGone()
  })

  return {
    isInteractive,
    tell: (message) => put(message.type, JSON.stringify(message)),
    show: (frame) => put(picture, frame),
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
