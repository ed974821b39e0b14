import type { WebSocket } from 'ws'
import type { CdpSwitch } from '../cdp/switch.ts'
import type { ViewerInput } from './input.ts'
import type { Frame } from './screencast.ts'
import { openStage, type Stage } from './stage.ts'
import { openViewer, type Viewer } from './viewer.ts'

export interface LiveView {
  /** Adds a WebSocket that watches, and controls if `isInteractive`. Frames are only produced while there is a viewer. */
  attach(socket: WebSocket, viewer: { isInteractive: boolean }): void
  close(): void
}

const mostViewers = 20
const mostTabs = 100
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
export function liveView(cdp: CdpSwitch, hooks: { onActivity(): void }): LiveView {
  const gone = () => end(view, 'The browser has ended.')
  const view: View = {
    // From the start, because the last opened page cannot be determined later.
    stage: openStage(cdp, {
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
  return viewers.size < mostViewers
    ? undefined
    : { code: 1013, reason: `${mostViewers} people watch already.` }
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
  const tabs = opened.tabs().slice(-mostTabs)
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
