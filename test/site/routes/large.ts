import { pipeline } from 'node:stream/promises'
import { type Exchange, numberFrom, page, type Routes, sendHtml } from '../route.ts'

const gibibyte = 1024 ** 3

/** Pages that are difficult because of their size. */
export const largeRoutes: Routes = {
  '/size': sendSize,
  '/links/:count': (exchange) => {
    const count = numberFrom(exchange.params.count, 5000, 100_000)
    const links = Array.from(
      { length: count },
      (_, index) => `<li><a href="/pages/${index}">Page ${index}</a></li>`,
    )
    sendHtml(exchange, page(`${count} links`, `<ul>\n${links.join('\n')}\n</ul>`))
  },
  '/nested/:depth': (exchange) => {
    const depth = numberFrom(exchange.params.depth, 5000, 1_000_000)
    sendHtml(exchange, page('Nested', `${'<div>'.repeat(depth)}The bottom.${'</div>'.repeat(depth)}`))
  },
  '/table/:rows': (exchange) => {
    const count = numberFrom(exchange.params.rows, 1000, 100_000)
    const rows = Array.from(
      { length: count },
      (_, index) => `<tr><td>${index}</td><td>Row ${index}</td></tr>`,
    )
    sendHtml(
      exchange,
      page('Table', `<table>\n<tr><th>Number</th><th>Name</th></tr>\n${rows.join('\n')}\n</table>`),
    )
  },
}

/** Sends HTML of exactly `bytes` bytes. With `chunked` in the query, the response has no content length. */
function sendSize({ response, url }: Exchange) {
  const bytes = numberFrom(url.searchParams.get('bytes'), 1024, 4 * gibibyte)
  const length = url.searchParams.has('chunked') ? {} : { 'content-length': bytes }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...length })
  return pipeline(letters(bytes), response)
}

function* letters(bytes: number) {
  const block = Buffer.alloc(64 * 1024, 'letters ')
  for (let remaining = bytes; remaining > 0; remaining -= block.length)
    yield block.subarray(0, Math.min(remaining, block.length))
}
