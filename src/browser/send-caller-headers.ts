import type { Page } from 'playwright-core'
import { type CallerHeaders, withCallerHeaders } from '../platform/caller-headers.ts'
import { ignoreError } from './page-script.ts'

/** Checks every hop, unlike routes of Playwright. Cross-site frames and opened windows have separate sessions. */
export async function sendCallerHeaders(tab: Page, caller: CallerHeaders) {
  let stoppedUrl: string | undefined
  // Chromium cannot remove a referer, so the navigation restarts from this URL.
  const stoppedAt = () => stoppedUrl
  if (Object.keys(caller.headers).length === 0) return { stoppedAt }
  const session = await tab.context().newCDPSession(tab)
  const frameOrigins = new Map<string, string>()
  session.on('Page.frameNavigated', ({ frame }) => frameOrigins.set(frame.id, frame.securityOrigin))
  session.on('Page.frameDetached', ({ frameId }) => frameOrigins.delete(frameId))
  await session.send('Page.enable')
  // Only the first request of a tab and its redirects are requests of the caller.
  let firstChain: string | undefined
  session.on('Fetch.requestPaused', ({ requestId, redirectedRequestId, request, ...paused }) => {
    const isFirst = firstChain === undefined || firstChain === redirectedRequestId
    if (isFirst) firstChain = requestId
    const headers = withCallerHeaders(caller, {
      url: new URL(request.url),
      headers: request.headers,
      isNavigation: paused.resourceType === 'Document',
      method: request.method,
      from: isFirst ? undefined : (frameOrigins.get(paused.frameId) ?? 'null'),
    })
    if (hasReferer(request.headers) && !hasReferer(headers)) {
      stoppedUrl = request.url
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignoreError)
    }
    const entries = Object.entries(headers).map(([name, value]) => ({ name, value }))
    session.send('Fetch.continueRequest', { requestId, headers: entries }).catch(ignoreError)
  })
  const patterns = [
    { urlPattern: `${caller.origin}/*` },
    { urlPattern: '*', resourceType: 'Document' as const },
  ]
  await session.send('Fetch.enable', { patterns })
  return { stoppedAt }
}

export type CallerHeaderRoute = Awaited<ReturnType<typeof sendCallerHeaders>>

function hasReferer(headers: Record<string, string>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'referer')
}
