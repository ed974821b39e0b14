import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Exchange, numberFrom, page, type Routes, sendHtml } from '../route.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }
const maxDelayMs = 600_000

/** Responses that are slow, endless or broken off. */
export const troubleRoutes: Routes = {
  '/slow': async (exchange) => {
    await delay(numberFrom(exchange.url.searchParams.get('ms'), 1000, maxDelayMs), null, {
      signal: exchange.signal,
    })
    sendHtml(exchange, page('Slow', '<p>The headers took their time.</p>'))
  },
  '/hang': ({ signal }) => once(signal, 'abort'),
  '/slow-body': dribble,
  '/endless': endless,
  '/reset': async ({ response }) => {
    response.writeHead(200, { ...html, 'content-length': 100_000 })
    await writeAndWait(response, '<p>This page breaks off')
    response.socket?.resetAndDestroy()
  },
  '/empty-reply': ({ response }) => response.socket?.destroy(),
  '/garbage': (exchange) => raw(exchange, 'this is not HTTP\r\n\r\n'),
  '/content-length/too-long': (exchange) =>
    raw(exchange, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<p>Short.</p>'),
  '/content-length/too-short': (exchange) =>
    raw(exchange, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<p>Longer.</p>'),
  '/content-length/conflicting': (exchange) =>
    raw(exchange, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\n<p>A</p>\n'),
  '/unfinished-chunks': (exchange) =>
    raw(
      exchange,
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>A\r\n',
    ),
  '/huge-header': ({ response }) =>
    response.writeHead(200, { ...html, 'x-huge': 'h'.repeat(1_000_000) }).end('<p>Behind it all.</p>'),
}

/** Sends `bytes` single letters, one every `ms` milliseconds. */
async function dribble({ response, url, signal }: Exchange) {
  const pause = numberFrom(url.searchParams.get('ms'), 100, maxDelayMs)
  const bytes = numberFrom(url.searchParams.get('bytes'), 100, 1_000_000)
  response.writeHead(200, html)
  response.flushHeaders()
  for (let count = 0; count < bytes; count += 1) {
    await delay(pause, null, { signal })
    response.write('d')
  }
  response.end()
}

async function endless({ response, signal }: Exchange) {
  response.writeHead(200, html)
  const paragraph = '<p>And then some more.</p>\n'.repeat(1000)
  while (!signal.aborted) {
    if (!response.write(paragraph)) await once(response, 'drain', { signal })
  }
}

function writeAndWait(response: Exchange['response'], text: string) {
  return new Promise<void>((resolve) => {
    response.write(text, () => resolve())
  })
}

/** Sends bytes that Node's own server would not write. */
function raw({ response }: Exchange, text: string) {
  response.socket?.end(text)
}
