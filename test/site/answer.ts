import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Answer, page, type Routes } from './route.ts'
import { allRoutes } from './routes/all.ts'

export interface SiteRequest {
  method: string
  /** Path and query as they were sent. */
  path: string
  headers: IncomingHttpHeaders
  /** Complete when the request has been answered; the first megabyte of it. */
  body: string
}

interface Ledger {
  routes?: Routes
  requests: SiteRequest[]
  hits: Map<string, number>
  signal: AbortSignal
}

/** Records each request and answers it from the first route that matches. */
export function answerer(ledger: Ledger): RequestListener {
  const find = finder({ ...ledger.routes }, allRoutes)
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    record(ledger, request, url)
    const { answer, part } = find(url.pathname)
    const visit = ledger.hits.get(url.pathname) ?? 0
    const signal = AbortSignal.any([ledger.signal, goneSignal(response)])
    try {
      await answer({ request, response, url, part, visit, signal })
    } catch (error) {
      // Waiting that ended because the client left is how the slow pages are meant to end.
      if (signal.aborted || response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
    }
  }
}

const keptRequests = 10_000
const keptBytes = 1_000_000

function record({ requests, hits }: Ledger, request: IncomingMessage, url: URL) {
  const { method = '', url: path = '/', headers } = request
  const entry: SiteRequest = { method, path, headers, body: '' }
  requests.push(entry)
  if (requests.length > keptRequests) requests.shift()
  for (const key of new Set([path, url.pathname])) hits.set(key, (hits.get(key) ?? 0) + 1)
  request.setEncoding('utf8').on('data', (text: string) => {
    if (entry.body.length < keptBytes) entry.body += text
  })
}

function goneSignal(response: ServerResponse) {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  return gone.signal
}

function finder(...tables: Routes[]) {
  const patterns = tables
    .flatMap(Object.entries<Answer>)
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

const notFound: Answer = ({ response }) => {
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page('Not found', '<p>There is no page at this address.</p>'))
}
