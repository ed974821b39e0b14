import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Handler, page, type Routes } from './route.ts'
import { allRoutes } from './routes/all.ts'

export interface SiteRequest {
  method: string
  /** Path and query as they were sent. */
  path: string
  headers: IncomingHttpHeaders
  /** First megabyte of the body. Complete after the response. */
  body: string
}

interface RequestLog {
  routes?: Routes
  requests: SiteRequest[]
  hits: Map<string, number>
  signal: AbortSignal
}

/** Returns a listener that records each request and responds with the first route that matches. */
export function createListener(ledger: RequestLog): RequestListener {
  const find = createFinder({ ...ledger.routes }, allRoutes)
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    record(ledger, request, url)
    const { answer, part } = find(url.pathname)
    const visit = ledger.hits.get(url.pathname) ?? 0
    const signal = AbortSignal.any([ledger.signal, closeSignal(response)])
    try {
      await answer({ request, response, url, params: part, visit, signal })
    } catch (error) {
      // Slow pages end with an abort when the client disconnects.
      if (signal.aborted || response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
    }
  }
}

const maxRequests = 10_000
const maxBodyBytes = 1_000_000

function record({ requests, hits }: RequestLog, request: IncomingMessage, url: URL) {
  const { method = '', url: path = '/', headers } = request
  const entry: SiteRequest = { method, path, headers, body: '' }
  requests.push(entry)
  if (requests.length > maxRequests) requests.shift()
  for (const key of new Set([path, url.pathname])) hits.set(key, (hits.get(key) ?? 0) + 1)
  request.setEncoding('utf8').on('data', (text: string) => {
    if (entry.body.length < maxBodyBytes) entry.body += text
  })
}

function closeSignal(response: ServerResponse) {
  const controller = new AbortController()
  response.on('close', () => controller.abort())
  return controller.signal
}

function createFinder(...tables: Routes[]) {
  const patterns = tables
    .flatMap(Object.entries<Handler>)
    .map(([path, answer]) => ({ path: path.split('/'), answer }))
  return (pathname: string) => {
    const segments = pathname.split('/')
    for (const { path, answer } of patterns) {
      const part = match(path, segments)
      if (part) return { answer, part }
    }
    return { answer: notFound, part: {} }
  }
}

function match(pattern: string[], segments: string[]) {
  if (pattern.length !== segments.length) return undefined
  const part: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (expected.startsWith(':')) part[expected.slice(1)] = segment
    else if (expected !== segment) return undefined
  }
  return part
}

const notFound: Handler = ({ response }) => {
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page('Not found', '<p>There is no page at this address.</p>'))
}
