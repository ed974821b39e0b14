import type { CDPSession, Page } from 'playwright-core'
import { type CallerHeaders, withCallerHeaders } from '../platform/caller-headers.ts'

interface Paused {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string> }
  frameId: string
  resourceType: string
  redirectedRequestId?: string
}

export interface CallerHeaderRoute {
  /**
   * Where the first navigation was led on another origin with a referer that is not meant for it. It was stopped there, since
   * Chromium takes back no referer, and can be begun anew from there.
   */
  stoppedAt(): string | undefined
}

/**
 * Sends the caller's headers with what a tab asks of the origin they were meant for. Every hop of a redirect is judged by
 * itself: what routes of the driver set would be sent to wherever a redirect leads. Frames of other sites and windows that
 * the page opens have sessions of their own, so they never get any.
 */
export async function sendCallerHeaders(tab: Page, caller: CallerHeaders): Promise<CallerHeaderRoute> {
  let stoppedAt: string | undefined
  if (Object.keys(caller.headers).length === 0) return { stoppedAt: () => undefined }
  const session = await tab.context().newCDPSession(tab)
  const originOf = await watchFrames(session)
  const isFirst = firstNavigation()
  session.on('Fetch.requestPaused', (paused: Paused) => {
    const { requestId, request, frameId, resourceType } = paused
    const headers = withCallerHeaders(caller, {
      url: new URL(request.url),
      headers: request.headers,
      isNavigation: resourceType === 'Document',
      method: request.method,
      from: isFirst(paused) ? undefined : originOf(frameId),
    })
    if (hasReferer(request.headers) && !hasReferer(headers)) {
      stoppedAt = request.url
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignore)
    }
    const entries = Object.entries(headers).map(([name, value]) => ({ name, value }))
    session.send('Fetch.continueRequest', { requestId, headers: entries }).catch(ignore)
  })
  // Documents of all origins: only there can a referer be carried along.
  const patterns = [
    { urlPattern: `${caller.home}/*` },
    { urlPattern: '*', resourceType: 'Document' as const },
  ]
  await session.send('Fetch.enable', { patterns })
  return { stoppedAt: () => stoppedAt }
}

/** Whether a request is the first one of a tab, or a redirect of it: only that is the caller's own. */
function firstNavigation(): (paused: Paused) => boolean {
  let chain: string | undefined
  return ({ requestId, redirectedRequestId }) => {
    if (chain !== undefined && chain !== redirectedRequestId) return false
    chain = requestId
    return true
  }
}

async function watchFrames(session: CDPSession): Promise<(frame: string) => string> {
  const origins = new Map<string, string>()
  session.on('Page.frameNavigated', ({ frame }) => origins.set(frame.id, frame.securityOrigin))
  session.on('Page.frameDetached', ({ frameId }) => origins.delete(frameId))
  await session.send('Page.enable')
  return (frame) => origins.get(frame) ?? 'null'
}

/** The page was closed while its request was handled, so the answer is not needed. */
const ignore = () => undefined

function hasReferer(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'referer')
}
