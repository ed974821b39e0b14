import type { CdpParams } from '../cdp/allow-list.ts'
import type { Caller } from '../cdp/caller.ts'

export interface Frame {
  image: Buffer
  viewport: { width: number; height: number }
}

export type Screencast = ReturnType<typeof startScreencast>

const sharpOptions = { format: 'jpeg', quality: 60, maxWidth: 1600, maxHeight: 1200 }
/** The content of an animated page need not be readable, and a frame of half the size takes Chromium half the time. */
const fastOptions = { format: 'jpeg', quality: 60, maxWidth: 800, maxHeight: 600 }
const frameIntervalMs = 100
const maxWaitMs = 1000
const maxSharpFrames = 10

interface ScreencastState {
  caller: Caller
  onFrame(frame: Frame): void
  session: string | undefined
  timer: NodeJS.Timeout | undefined
  options: typeof sharpOptions
  last: Frame | undefined
  changes: number
  requestedAt: number
  isPaused: boolean
  isStopped: boolean
}

/** Chromium copies a page at each change while its screencast is on, so a changing page gets one frame at a time. */
export function startScreencast(caller: Caller, targetId: string, onFrame: (frame: Frame) => void) {
  const state: ScreencastState = {
    ...{ caller, onFrame, session: undefined, timer: undefined, options: sharpOptions, last: undefined },
    ...{ changes: 0, requestedAt: 0, isPaused: false, isStopped: false },
  }
  let pending = 0
  const sessionPromise = openPageSession(state, targetId)
  // If the page was closed meanwhile, the error is ignored: the tab stream soon shows the next page.
  sessionPromise.catch(() => {})
  return {
    targetId,
    async call<Result>(method: string, params?: object): Promise<Result> {
      pending += 1
      try {
        return await caller.call<Result>(method, params, await sessionPromise)
      } finally {
        pending -= 1
      }
    },
    pendingCalls: () => pending,
    onEvent(method: string, params: CdpParams, sessionId: string | undefined): void {
      const isFrame = method === 'Page.screencastFrame' && sessionId === state.session
      if (isFrame && !state.isStopped) handleFrame(state, params)
    },
    stop() {
      state.isStopped = true
      clearTimeout(state.timer)
      detach(state)
    },
  }
}

async function openPageSession(state: ScreencastState, targetId: string): Promise<string> {
  const attachParams = { targetId, flatten: true }
  const { sessionId } = await state.caller.call<{ sessionId: string }>('Target.attachToTarget', attachParams)
  state.session = sessionId
  if (state.isStopped) detach(state)
  else requestFrame(state)
  return sessionId
}

function handleFrame(state: ScreencastState, params: CdpParams): void {
  if (state.isPaused) return
  clearTimeout(state.timer)
  const { number, ...frame } = readFrame(params)
  const isSame = state.last?.image.equals(frame.image) === true
  state.last = frame
  if (!isSame) state.onFrame(frame)
  if (isSame && state.options === sharpOptions) {
    state.changes = 0
    // The screencast stays on: the next frame arrives with the next change.
    callWithoutResult(state, 'Page.screencastFrameAck', { sessionId: number })
    return
  }
  state.changes = isSame ? 0 : state.changes + 1
  state.options = state.changes >= maxSharpFrames ? fastOptions : sharpOptions
  turnOff(state, Math.max(0, state.requestedAt + frameIntervalMs - performance.now()))
}

function turnOff(state: ScreencastState, milliseconds: number): void {
  state.isPaused = true
  callWithoutResult(state, 'Page.stopScreencast')
  state.timer = setTimeout(requestFrame, milliseconds, state)
}

/** Requests one frame, with a timeout, because a page that is still opening may never produce it. */
function requestFrame(state: ScreencastState): void {
  state.isPaused = false
  state.requestedAt = performance.now()
  callWithoutResult(state, 'Page.startScreencast', state.options)
  state.timer = setTimeout(turnOff, maxWaitMs, state, 0)
}

/** Ignores the error, which only occurs if the page is closed. */
function callWithoutResult({ caller, session }: ScreencastState, method: string, params = {}): void {
  caller.call(method, params, session).catch(() => {})
}

function detach({ caller, session }: ScreencastState): void {
  if (session !== undefined) caller.call('Target.detachFromTarget', { sessionId: session }).catch(() => {})
}

function readFrame(params: CdpParams): Frame & { number: number } {
  const { data, metadata, sessionId } = params as {
    data: string
    metadata: { deviceWidth: number; deviceHeight: number }
    sessionId: number
  }
  const viewport = { width: Math.round(metadata.deviceWidth), height: Math.round(metadata.deviceHeight) }
  return { image: Buffer.from(data, 'base64'), viewport, number: sessionId }
}
