import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** Path segments that match parameters of the pattern, as they were sent. */
  params: Record<string, string>
  /** Number of requests for this path, including this one. */
  visit: number
  /** Aborts when the client disconnects or the site stops. Every handler that waits or repeats must use it. */
  signal: AbortSignal
}

export type Handler = (exchange: Exchange) => unknown

/** Maps path patterns to handlers: `/pages/:number` matches one segment and passes it as `part.number`. */
export type Routes = Record<string, Handler>

/** Sends a complete HTML page. */
export function sendHtml({ response }: Exchange, html: string, headers: OutgoingHttpHeaders = {}) {
  send(response, { 'content-type': 'text/html; charset=utf-8', ...headers }, html)
}

export function send(response: ServerResponse, headers: OutgoingHttpHeaders, body: string | Uint8Array) {
  response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

/** Returns a small page with this content. */
export function page(title: string, content: string) {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
}

/** Returns an integer from the query or the path, at most the limit, so that a page cannot exhaust the machine. */
export function numberFrom(text: string | null | undefined, fallback: number, limit: number) {
  const number = text ? Number.parseInt(text, 10) : fallback
  return Math.min(Math.max(Number.isNaN(number) ? fallback : number, 0), limit)
}
