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

const shape = { format: 'jpeg', quality: 60, maxWidth: 1600, maxHeight: 1200 }
const frameEvery = 100
/** Chromium takes no more pictures while this many are not acknowledged. */
const mostUnacknowledged = 3

/**
 * Pictures of one page as it changes, ten a second at most. Each acknowledgement lets Chromium take one more picture, so
 * none is taken that would be thrown away.
 */
export function startScreencast(
  caller: Caller,
  targetId: string,
  onFrame: (frame: Frame) => void,
): Screencast {
  const unacknowledged: number[] = []
  let session: string | undefined
  let timer: NodeJS.Timeout | undefined
  let lastAcknowledged = 0
  let mayHaveMissed = false
  let isStopped = false

  const opened = caller
    .call<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
    .then(async ({ sessionId }) => {
      session = sessionId
      if (isStopped) detach()
      else await caller.call('Page.startScreencast', shape, sessionId)
      return sessionId
    })
  // A page that closed in the meantime: the next one is about to be shown.
  opened.catch(() => {})

  function receive(params: CdpParams): void {
    const frame = readFrame(params)
    unacknowledged.push(frame.number)
    if (unacknowledged.length >= mostUnacknowledged) mayHaveMissed = true
    timer ??= setTimeout(acknowledge, Math.max(0, lastAcknowledged + frameEvery - performance.now()))
    onFrame(frame)
  }

  function acknowledge(): void {
    timer = undefined
    const sessionId = unacknowledged.shift()
    if (sessionId === undefined) {
      settle()
      return
    }
    lastAcknowledged = performance.now()
    tell('Page.screencastFrameAck', { sessionId })
    timer = setTimeout(acknowledge, frameEvery)
  }

  /** The page has come to rest. Changes while Chromium took no pictures would not be seen until the next one. */
  function settle(): void {
    if (!mayHaveMissed) return
    mayHaveMissed = false
    tell('Page.stopScreencast')
    tell('Page.startScreencast', shape)
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
