import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** The parts of the path that the pattern left open, as they were sent. */
  part: Record<string, string>
  /** How often this path was asked for, this time included. */
  visit: number
  /** Aborts when the client goes away or the site stops; everything that waits or repeats must obey it. */
  signal: AbortSignal
}

export type Answer = (exchange: Exchange) => unknown

/** Path patterns to answers: `/pages/:number` matches one segment and hands it on as `part.number`. */
export type Routes = Record<string, Answer>

/** Answers with a whole HTML page. */
export function sendHtml({ response }: Exchange, html: string, headers: OutgoingHttpHeaders = {}) {
  send(response, { 'content-type': 'text/html; charset=utf-8', ...headers }, html)
}

export function send(response: ServerResponse, headers: OutgoingHttpHeaders, body: string | Uint8Array) {
  response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

/** A small page around this content. */
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

/** A whole number from the query or the path, never above the limit: a page must not eat the machine. */
export function numberFrom(text: string | null | undefined, fallback: number, limit: number) {
  const number = text ? Number.parseInt(text, 10) : fallback
  return Math.min(Math.max(Number.isNaN(number) ? fallback : number, 0), limit)
}
