import type { WebSocket } from 'ws'
import type { CdpSwitch } from '../cdp/switch.ts'
import type { ViewerInput } from './input.ts'
import type { Frame } from './screencast.ts'
import { openStage, type Stage } from './stage.ts'
import { openViewer, type Viewer } from './viewer.ts'

export interface LiveView {
  /** A WebSocket that watches, and steers when `isInteractive`. Frames flow only while somebody watches. */
  attach(socket: WebSocket, viewer: { isInteractive: boolean }): void
  close(): void
}

const mostViewers = 20
const mostTabs = 100
const tellEvery = 100
/** The page tells this end from a broken connection, and does not try again. */
const ended = 4410

/** One browser on several screens: one stream of pictures, sent to all who watch. */
export function liveView(cdp: CdpSwitch, hooks: { onActivity(): void }): LiveView {
  const viewers = new Set<Viewer>()
  let last: Frame | undefined
  let isClosed = false
  let telling: NodeJS.Timeout | undefined
  // From the start, as nobody could tell later which page was opened last.
  const stage = openStage(cdp, {
    onFrame: showAll,
    onTabs: tellAll,
    onGone: () => end('The browser has gone.'),
  })
  stage.then(tellAll, () => end('The browser has gone.'))
  const onStage = (use: (opened: Stage) => unknown) => void stage.then(use, () => {})

  function showAll(frame: Frame): void {
    const isResized =
      last?.viewport.width !== frame.viewport.width || last.viewport.height !== frame.viewport.height
    last = frame
    if (isResized) tellAll()
    for (const viewer of viewers) viewer.show(frame.picture)
  }

  /** A page that changes its title without end is told of ten times a second. */
  function tellAll(): void {
    telling ??= setTimeout(() => {
      telling = undefined
      onStage((opened) => {
        for (const viewer of viewers) viewer.tell(stateOf(opened, viewer))
      })
    }, tellEvery)
  }

  function stateOf(opened: Stage, { isInteractive }: Viewer) {
    const active = opened.activeTab()
    const viewport = last?.viewport ?? { width: 0, height: 0 }
    const tabs = opened.tabs().slice(-mostTabs)
    return { type: 'state', isInteractive, active: active?.id ?? null, tabs, viewport }
  }

  function steer(viewer: Viewer, input: ViewerInput): void {
    hooks.onActivity()
    onStage(async (opened) => {
      const notice = await opened.act(input)
      const told = { type: 'notice', text: notice?.slice(0, 300) }
      if (notice) viewer.tell(told)
    })
  }

  function end(reason: string): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(telling)
    for (const viewer of viewers) viewer.close(ended, reason)
    viewers.clear()
    onStage((opened) => opened.close())
  }

  return {
    attach(socket, { isInteractive }) {
      if (isClosed) return socket.close(ended, 'It was closed, or its time was up.')
      if (viewers.size >= mostViewers) return socket.close(1013, `${mostViewers} people watch already.`)
      const viewer = openViewer(socket, isInteractive, {
        onInput: (input) => steer(viewer, input),
        onGone() {
          viewers.delete(viewer)
          if (viewers.size === 0) onStage((opened) => viewers.size === 0 && opened.unwatch())
        },
      })
      viewers.add(viewer)
      onStage((opened) => {
        if (viewers.size > 0) opened.watch()
        viewer.tell(stateOf(opened, viewer))
      })
      if (last && viewers.size > 1) viewer.show(last.picture)
    },
    close: () => end('It was closed, or its time was up.'),
  }
}
