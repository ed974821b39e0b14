import type { CDPSession, Page } from 'playwright-core'
import { type CallerHeaders, withCallerHeaders } from '../network/caller-headers.ts'

interface Paused {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string> }
  frameId: string
  resourceType: string
}

interface FrameNavigated {
  frame: { id: string; securityOrigin: string }
}

/**
 * Sends the caller's headers with what a tab asks of the origin they were meant for. Every hop of a redirect is judged by
 * itself: what routes of the driver set would be sent to wherever a redirect leads. Frames of other sites and windows that
 * the page opens have sessions of their own, so they never get any.
 */
export async function sendCallerHeaders(tab: Page, caller: CallerHeaders): Promise<void> {
  if (Object.keys(caller.headers).length === 0) return
  const session = await tab.context().newCDPSession(tab)
  const originOf = await watchFrames(session)
  session.on('Fetch.requestPaused', (paused: Paused) => void pass(session, caller, paused, originOf))
  // Documents of all origins: only there can a referer be carried along.
  const patterns = [
    { urlPattern: `${caller.home}/*` },
    { urlPattern: '*', resourceType: 'Document' as const },
  ]
  await session.send('Fetch.enable', { patterns })
}

async function watchFrames(session: CDPSession): Promise<(frame: string) => string> {
  const origins = new Map<string, string>()
  session.on('Page.frameNavigated', ({ frame }: FrameNavigated) =>
    origins.set(frame.id, frame.securityOrigin),
  )
  session.on('Page.frameDetached', ({ frameId }: { frameId: string }) => origins.delete(frameId))
  await session.send('Page.enable')
  return (frame) => origins.get(frame) ?? 'null'
}

async function pass(
  session: CDPSession,
  caller: CallerHeaders,
  { requestId, request, frameId, resourceType }: Paused,
  originOf: (frame: string) => string,
): Promise<void> {
  const url = new URL(request.url)
  const headers = withCallerHeaders(caller, {
    url,
    headers: request.headers,
    isNavigation: resourceType === 'Document',
    method: request.method,
    from: originOf(frameId),
  })
  try {
    if (hasReferer(request.headers) && !hasReferer(headers)) {
      // Chromium takes no other referer for a hop once there is one, but forgets it where a redirect tells it to.
      const responseHeaders = [
        { name: 'location', value: request.url },
        { name: 'referrer-policy', value: 'no-referrer' },
      ]
      await session.send('Fetch.fulfillRequest', { requestId, responseCode: 307, responseHeaders })
      return
    }
    const entries = Object.entries(headers).map(([name, value]) => ({ name, value }))
    await session.send('Fetch.continueRequest', { requestId, headers: entries })
  } catch {
    // The page went away while its request was being answered; nobody waits for it any more.
  }
}

function hasReferer(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'referer')
}
