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
  onEvent(method: string, params: CdpParams, sessionId: string | undefined): void
  stop(): void
}

const sharp = { format: 'jpeg', quality: 60, maxWidth: 1600, maxHeight: 1200 }
/** Nobody reads what moves, and a picture of half the size takes Chromium half the time. */
const quick = { format: 'jpeg', quality: 60, maxWidth: 800, maxHeight: 600 }
const frameEvery = 100
const mostWait = 1000
/** Pictures in a row that were each another one: then the page moves, and does not just react. */
const mostSharp = 10

/**
 * Pictures of one page as it changes, ten a second at most. While its screencast is on, Chromium copies the page with every
 * change, sixty times a second on one that moves, whether the copy is wanted or not. So the screencast is on while the page
 * is at rest, and costs nothing; from its first change on it is turned on for one picture at a time, until two pictures are
 * the same.
 */
export function startScreencast(
  caller: Caller,
  targetId: string,
  onFrame: (frame: Frame) => void,
): Screencast {
  let session: string | undefined
  let timer: NodeJS.Timeout | undefined
  let shape = sharp
  let last: Frame | undefined
  let changes = 0
  let askedAt = 0
  let isOff = false
  let isStopped = false

  const opened = caller
    .call<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
    .then(async ({ sessionId }) => {
      session = sessionId
      if (isStopped) detach()
      else takeOne()
      return sessionId
    })
  // A page that closed in the meantime: the next one is about to be shown.
  opened.catch(() => {})

  function receive(params: CdpParams): void {
    // Pictures that were on their way when the screencast was turned off.
    if (isOff) return
    clearTimeout(timer)
    const { number, ...frame } = readFrame(params)
    const isSame = last?.picture.equals(frame.picture) === true
    last = frame
    if (!isSame) onFrame(frame)
    if (isSame && shape === sharp) rest(number)
    else goOn(isSame)
  }

  /** The screencast stays on: the next picture comes with the next change. */
  function rest(number: number): void {
    changes = 0
    tell('Page.screencastFrameAck', { sessionId: number })
  }

  function goOn(isSame: boolean): void {
    changes = isSame ? 0 : changes + 1
    shape = changes >= mostSharp ? quick : sharp
    turnOff(Math.max(0, askedAt + frameEvery - performance.now()))
  }

  function turnOff(milliseconds: number): void {
    isOff = true
    tell('Page.stopScreencast')
    timer = setTimeout(takeOne, milliseconds)
  }

  /** A page that is just being opened may never bring the picture that was asked for. */
  function takeOne(): void {
    isOff = false
    askedAt = performance.now()
    tell('Page.startScreencast', shape)
    timer = setTimeout(turnOff, mostWait, 0)
  }

  /** Fails only where the page has gone. */
  function tell(method: string, params = {}): void {
    caller.call(method, params, session).catch(() => {})
  }

  function detach(): void {
    if (session !== undefined) caller.call('Target.detachFromTarget', { sessionId: session }).catch(() => {})
  }

  return {
    targetId,
    call: async (method, params) => caller.call(method, params, await opened),
    onEvent(method, params, sessionId) {
      if (!isStopped && method === 'Page.screencastFrame' && sessionId === session) receive(params)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      detach()
    },
  }
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
