import type { Page, Request, WebSocket } from 'playwright-core'
import { listener } from '../platform/functions.ts'

/** What a page waits for. */
const awaited = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

/** A request that repeats this often without a change is endless polling, and the page does not wait for it. */
const repetitions = 3
/** Maximum number of different requests that are tracked; a page with more of them loads content. */
const maxQuestions = 1000

/** Tracks the requests of a page, from its creation to its end. */
export function watchNetwork(page: Page) {
  const open = new Set<Request>()
  const streams = new Set<Request | WebSocket>()
  const isRepeated = repetition()
  let changedAt = Number.NEGATIVE_INFINITY
  let idle = Promise.withResolvers<void>()
  const note = () => {
    changedAt = performance.now()
    if (open.size > 0) return
    idle.resolve()
    idle = Promise.withResolvers()
  }
  const began = (request: Request) => {
    const type = request.resourceType()
    if (type === 'eventsource') streams.add(request)
    // Reloads are limited elsewhere; until then, the page is not stable.
    const isPageItself = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (!awaited.has(type) || (!isPageItself && isRepeated(request))) return
    open.add(request)
    note()
  }
  const ended = (request: Request) => {
    streams.delete(request)
    if (open.delete(request)) note()
  }
  const opened = (socket: WebSocket) => {
    streams.add(socket)
    socket.on('close', () => streams.delete(socket))
  }
  // A request whose type cannot be read is not waited for.
  page.on('request', listener(began, ignored))
  page.on('requestfinished', listener(ended, ignored))
  page.on('requestfailed', listener(ended, ignored))
  page.on('websocket', listener(opened, ignored))
  return {
    /** A request is pending that the page may be waiting for. */
    isLoading: () => open.size > 0,
    /** The site can push data: over a WebSocket, or an event stream. */
    isListening: () => streams.size > 0 || page.workers().length > 0,
    /** Time since a request last started or ended; infinite if there was none. */
    quietMs: () => performance.now() - changedAt,
    /** Resolves when no request is pending. */
    nextIdle: () => idle.promise,
  }
}

export type NetworkWatch = ReturnType<typeof watchNetwork>

/** Whether a page has repeatedly sent the same request. */
function repetition(): (request: Request) => boolean {
  const times = new Map<string, number>()
  return (request) => {
    // Timestamps and random numbers in a URL only bypass caches and are ignored.
    const url = request
      .url()
      .slice(0, 2000)
      .replace(/\d{10,}|\b0?\.\d{6,}/g, '')
    const question = `${request.method()} ${url} ${request.postData()?.slice(0, 2000) ?? ''}`
    const count = (times.get(question) ?? 0) + 1
    if (count > 1 || times.size < maxQuestions) times.set(question, count)
    return count > repetitions
  }
}

const ignored = () => {}
