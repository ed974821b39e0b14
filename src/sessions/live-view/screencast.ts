import type { CdpParams } from '../cdp/allow-list.ts'
import type { Caller } from '../cdp/caller.ts'

export interface Frame {
  /** Image data in JPEG format. */
  picture: Buffer
  /** Size of the viewport, in pixels of the page. */
  viewport: { width: number; height: number }
}

export interface Screencast {
  targetId: string
  /** Calls a method of the page that is shown. */
  call<Result>(method: string, params?: object): Promise<Result>
  /** Returns the number of calls that the page has not answered. */
  pendingCalls(): number
  onEvent(method: string, params: CdpParams, sessionId: string | undefined): void
  stop(): void
}

const sharpOptions = { format: 'jpeg', quality: 60, maxWidth: 1600, maxHeight: 1200 }
/** Moving content need not be readable, and a frame of half the size takes Chromium half the time. */
const fastOptions = { format: 'jpeg', quality: 60, maxWidth: 800, maxHeight: 600 }
const frameIntervalMs = 100
const maxWaitMs = 1000
/** Number of successive different frames after which the page counts as animated. */
const maxSharpFrames = 10

interface Cast {
  caller: Caller
  onFrame(frame: Frame): void
  session: string | undefined
  timer: NodeJS.Timeout | undefined
  shape: typeof sharpOptions
  last: Frame | undefined
  changes: number
  askedAt: number
  isOff: boolean
  isStopped: boolean
}

/**
 * Streams frames of one page as it changes, at most ten a second. While its screencast is on, Chromium copies the page on every
 * change, sixty times a second on an animated one, even if the copy is not needed. So the screencast is on while the page does
 * not change, and costs nothing. After the first change it is turned on for one frame at a time, until two frames are equal.
 */
export function startScreencast(
  caller: Caller,
  targetId: string,
  onFrame: (frame: Frame) => void,
): Screencast {
  const cast: Cast = {
    ...{ caller, onFrame, session: undefined, timer: undefined, shape: sharpOptions, last: undefined },
    ...{ changes: 0, askedAt: 0, isOff: false, isStopped: false },
  }
  let pending = 0
  const sessionPromise = openPageSession(cast, targetId)
  // The page closed in the meantime; the next one is shown soon.
  sessionPromise.catch(() => {})
  return {
    targetId,
    async call(method, params) {
      pending += 1
      try {
        return await caller.call(method, params, await sessionPromise)
      } finally {
        pending -= 1
      }
    },
    pendingCalls: () => pending,
    onEvent(method, params, sessionId) {
      const isFrame = method === 'Page.screencastFrame' && sessionId === cast.session
      if (isFrame && !cast.isStopped) handleFrame(cast, params)
    },
    stop() {
      cast.isStopped = true
      clearTimeout(cast.timer)
      detach(cast)
    },
  }
}

/** Returns the session of the page. */
async function openPageSession(cast: Cast, targetId: string): Promise<string> {
  const attachParams = { targetId, flatten: true }
  const { sessionId } = await cast.caller.call<{ sessionId: string }>('Target.attachToTarget', attachParams)
  cast.session = sessionId
  if (cast.isStopped) detach(cast)
  else requestFrame(cast)
  return sessionId
}

function handleFrame(cast: Cast, params: CdpParams): void {
  // Frames that were in flight when the screencast was turned off.
  if (cast.isOff) return
  clearTimeout(cast.timer)
  const { number, ...frame } = readFrame(params)
  const isSame = cast.last?.picture.equals(frame.picture) === true
  cast.last = frame
  if (!isSame) cast.onFrame(frame)
  if (isSame && cast.shape === sharpOptions) {
    cast.changes = 0
    // The screencast stays on: the next frame arrives with the next change.
    callWithoutResult(cast, 'Page.screencastFrameAck', { sessionId: number })
    return
  }
  cast.changes = isSame ? 0 : cast.changes + 1
  cast.shape = cast.changes >= maxSharpFrames ? fastOptions : sharpOptions
  turnOff(cast, Math.max(0, cast.askedAt + frameIntervalMs - performance.now()))
}

function turnOff(cast: Cast, milliseconds: number): void {
  cast.isOff = true
  callWithoutResult(cast, 'Page.stopScreencast')
  cast.timer = setTimeout(requestFrame, milliseconds, cast)
}

/** A page that is still opening may never produce the requested frame. */
function requestFrame(cast: Cast): void {
  cast.isOff = false
  cast.askedAt = performance.now()
  callWithoutResult(cast, 'Page.startScreencast', cast.shape)
  cast.timer = setTimeout(turnOff, maxWaitMs, cast, 0)
}

/** Sends a call and ignores its error, which only occurs if the page is closed. */
function callWithoutResult({ caller, session }: Cast, method: string, params = {}): void {
  caller.call(method, params, session).catch(() => {})
}

function detach({ caller, session }: Cast): void {
  if (session !== undefined) caller.call('Target.detachFromTarget', { sessionId: session }).catch(() => {})
}

function readFrame(params: CdpParams): Frame & { number: number } {
  // The shape of `Page.screencastFrame`.
  const { data, metadata, sessionId } = params as {
    data: string
    metadata: { deviceWidth: number; deviceHeight: number }
    sessionId: number
  }
  const viewport = { width: Math.round(metadata.deviceWidth), height: Math.round(metadata.deviceHeight) }
  return { picture: Buffer.from(data, 'base64'), viewport, number: sessionId }
}
