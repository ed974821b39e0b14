import type { Page, Request, WebSocket } from 'playwright-core'
import { listener } from '../base/listener.ts'

/** What a page waits for. */
const awaited = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

/** What is asked so often, word for word, is asked for ever, and nothing waits for it. */
const repetitions = 3
/** Different questions that are told apart; a page with more of them asks for content. */
const mostQuestions = 1000

export interface NetworkWatch {
  /** Something is on its way that the page may be waiting for. */
  isLoading(): boolean
  /** The site can say something of its own accord: over a socket, or a stream of events. */
  isListening(): boolean
  /** For how long nothing has begun or ended; endless while nothing ever has. */
  quietMs(): number
  /** Resolves when the last of what is on its way has come. */
  nextIdle(): Promise<void>
}

/** Follows what a page loads: from the moment it is made, for as long as the page lives. */
export function watchNetwork(page: Page): NetworkWatch {
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
    // How often a page may load itself anew is bounded elsewhere, and until then it has not come to rest.
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
  // Of a request that cannot be asked what it is, nothing is waited for.
  page.on('request', listener(began, ignored))
  page.on('requestfinished', listener(ended, ignored))
  page.on('requestfailed', listener(ended, ignored))
  page.on('websocket', listener(opened, ignored))
  return {
    isLoading: () => open.size > 0,
    isListening: () => streams.size > 0 || page.workers().length > 0,
    quietMs: () => performance.now() - changedAt,
    nextIdle: () => idle.promise,
  }
}

/** Whether a page has asked the same before, again and again. */
function repetition(): (request: Request) => boolean {
  const times = new Map<string, number>()
  return (request) => {
    // Times and random numbers in an address keep it out of caches, and mean nothing.
    const url = request
      .url()
      .slice(0, 2000)
      .replace(/\d{10,}|\b0?\.\d{6,}/g, '')
    const question = `${request.method()} ${url} ${request.postData()?.slice(0, 2000) ?? ''}`
    const count = (times.get(question) ?? 0) + 1
    if (count > 1 || times.size < mostQuestions) times.set(question, count)
    return count > repetitions
  }
}

const ignored = () => {}
