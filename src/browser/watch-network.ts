import type { Page, Request, WebSocket } from 'playwright-core'
import { listener } from '../platform/functions.ts'
import { ignoreError } from './page-script.ts'

const awaitedTypes = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

/** More unchanged repetitions count as endless polling, which the page does not wait for. */
const maxRepetitions = 3
const maxTrackedRequests = 1000

export function watchNetwork(page: Page) {
  const pendingRequests = new Set<Request>()
  const streams = new Set<Request | WebSocket>()
  const isRepeated = createRepetitionCheck()
  let changedAt = Number.NEGATIVE_INFINITY
  let idle = Promise.withResolvers<void>()
  const onChange = () => {
    changedAt = performance.now()
    if (pendingRequests.size > 0) return
    idle.resolve()
    idle = Promise.withResolvers()
  }
  const onRequest = (request: Request) => {
    const type = request.resourceType()
    if (type === 'eventsource') streams.add(request)
    // Repeated reloads of the page count as pending; `limitNavigations` limits them.
    const isPageItself = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (!awaitedTypes.has(type) || (!isPageItself && isRepeated(request))) return
    pendingRequests.add(request)
    onChange()
  }
  const onRequestEnd = (request: Request) => {
    streams.delete(request)
    if (pendingRequests.delete(request)) onChange()
  }
  const onWebSocket = (socket: WebSocket) => {
    streams.add(socket)
    socket.on('close', () => streams.delete(socket))
  }
  page.on('request', listener(onRequest, ignoreError))
  page.on('requestfinished', listener(onRequestEnd, ignoreError))
  page.on('requestfailed', listener(onRequestEnd, ignoreError))
  page.on('websocket', listener(onWebSocket, ignoreError))
  return {
    isLoading: () => pendingRequests.size > 0,
    /** The site can push data: over a WebSocket, or an event stream. */
    isListening: () => streams.size > 0 || page.workers().length > 0,
    quietMs: () => performance.now() - changedAt,
    nextIdle: () => idle.promise,
  }
}

export type NetworkWatch = ReturnType<typeof watchNetwork>

function createRepetitionCheck(): (request: Request) => boolean {
  const counts = new Map<string, number>()
  return (request) => {
    // Timestamps and random numbers in a URL only bypass caches and are ignored.
    const url = request
      .url()
      .slice(0, 2000)
      .replace(/\d{10,}|\b0?\.\d{6,}/g, '')
    const requestKey = `${request.method()} ${url} ${request.postData()?.slice(0, 2000) ?? ''}`
    const count = (counts.get(requestKey) ?? 0) + 1
    if (count > 1 || counts.size < maxTrackedRequests) counts.set(requestKey, count)
    return count > maxRepetitions
  }
}
