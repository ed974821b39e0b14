import type { CdpParams } from '../cdp/allow-list.ts'
import type { Caller } from '../cdp/caller.ts'

export interface Frame {
  /** A JPEG. */
  picture: Buffer
  /** Of the page, in its own pixels. */
  viewport: { width: number; height: number }
}

export interface Screencast {
  targetId: string
  /** Sends something to the page that is shown. */
  call<Result>(method: string, params?: object): Promise<Result>
  /** Number of calls that the page has not answered. */
  pendingCalls(): number
  onEvent(method: string, params: CdpParams, sessionId: string | undefined): void
  stop(): void
}

const sharp = { format: 'jpeg', quality: 60, maxWidth: 1600, maxHeight: 1200 }
/** Moving content need not be readable, and a frame of half the size takes Chromium half the time. */
const quick = { format: 'jpeg', quality: 60, maxWidth: 800, maxHeight: 600 }
const frameEvery = 100
const maxWaitMs = 1000
/** Number of successive different frames after which the page counts as animated. */
const mostSharp = 10

interface Cast {
  caller: Caller
  onFrame(frame: Frame): void
  session: string | undefined
  timer: NodeJS.Timeout | undefined
  shape: typeof sharp
  last: Frame | undefined
  changes: number
  askedAt: number
  isOff: boolean
  isStopped: boolean
}

/**
 * Frames of one page as it changes, at most ten a second. While its screencast is on, Chromium copies the page on every
 * change, sixty times a second on an animated one, even if the copy is not needed. So the screencast is on while the page
 * does not change, and costs nothing; after the first change it is turned on for one frame at a time, until two frames are
 * equal.
 */
export function startScreencast(
  caller: Caller,
  targetId: string,
  onFrame: (frame: Frame) => void,
): Screencast {
  const cast: Cast = {
    ...{ caller, onFrame, session: undefined, timer: undefined, shape: sharp, last: undefined },
    ...{ changes: 0, askedAt: 0, isOff: false, isStopped: false },
  }
  let pending = 0
  const opened = open(cast, targetId)
  // A page that closed in the meantime: the next one is about to be shown.
  opened.catch(() => {})
  return {
    targetId,
    async call(method, params) {
      pending += 1
      try {
        return await caller.call(method, params, await opened)
      } finally {
        pending -= 1
      }
    },
    pendingCalls: () => pending,
    onEvent(method, params, sessionId) {
      const isFrame = method === 'Page.screencastFrame' && sessionId === cast.session
      if (isFrame && !cast.isStopped) receive(cast, params)
    },
    stop() {
      cast.isStopped = true
      clearTimeout(cast.timer)
      detach(cast)
    },
  }
}

/** Returns the session of the page. */
async function open(cast: Cast, targetId: string): Promise<string> {
  const attach = { targetId, flatten: true }
  const { sessionId } = await cast.caller.call<{ sessionId: string }>('Target.attachToTarget', attach)
  cast.session = sessionId
  if (cast.isStopped) detach(cast)
  else takeOne(cast)
  return sessionId
}

function receive(cast: Cast, params: CdpParams): void {
  // Frames that were in flight when the screencast was turned off.
  if (cast.isOff) return
  clearTimeout(cast.timer)
  const { number, ...frame } = readFrame(params)
  const isSame = cast.last?.picture.equals(frame.picture) === true
  cast.last = frame
  if (!isSame) cast.onFrame(frame)
  if (isSame && cast.shape === sharp) {
    cast.changes = 0
    // The screencast stays on: the next frame comes with the next change.
    tell(cast, 'Page.screencastFrameAck', { sessionId: number })
    return
  }
  cast.changes = isSame ? 0 : cast.changes + 1
  cast.shape = cast.changes >= mostSharp ? quick : sharp
  turnOff(cast, Math.max(0, cast.askedAt + frameEvery - performance.now()))
}

function turnOff(cast: Cast, milliseconds: number): void {
  cast.isOff = true
  tell(cast, 'Page.stopScreencast')
  cast.timer = setTimeout(takeOne, milliseconds, cast)
}

/** A page that is still opening may never produce the requested frame. */
function takeOne(cast: Cast): void {
  cast.isOff = false
  cast.askedAt = performance.now()
  tell(cast, 'Page.startScreencast', cast.shape)
  cast.timer = setTimeout(turnOff, maxWaitMs, cast, 0)
}

/** Only fails if the page is closed. */
function tell({ caller, session }: Cast, method: string, params = {}): void {
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
