import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * A site without an end: every page links to pages that no other page links to. It runs in a thread of its own, so that
 * making its pages does not slow the measurement.
 */
const { links }: { links: number } = workerData
const text = 'A page of a trap, with words enough to be read as a page and not as a frame around nothing. '
let made = 0

const server = createServer((request, response) => {
  if (!request.url?.startsWith('/trap')) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const list = Array.from(
    { length: links },
    (_, index) => `<a href="/trap/${made + index}">Page ${index}</a>`,
  )
  made += links
  response.end(
    `<!doctype html><html><head><title>Trap ${request.url}</title></head><body><main><p>${text.repeat(8)}</p></main><nav>${list.join('\n')}</nav></body></html>`,
  )
})

server.listen(0, '127.0.0.1', () => {
  // A listening TCP server always has an address object; a string is for pipes only.
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
