import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Endless site: every page links to pages that no other page links to. The site runs in a separate thread, so that
 * creating its pages does not slow down the measurement.
 */
const { links }: { links: number } = workerData
const text = 'A page of a trap, with words enough to be read as a page and not as a frame around nothing. '
let linkCount = 0

const server = createServer((request, response) => {
  if (!request.url?.startsWith('/trap')) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const anchors = Array.from(
    { length: links },
    (_, index) => `<a href="/trap/${linkCount + index}">Page ${index}</a>`,
  )
  linkCount += links
  response.end(
    `<!doctype html><html><head><title>Trap ${request.url}</title></head><body><main><p>${text.repeat(8)}</p></main><nav>${anchors.join('\n')}</nav></body></html>`,
  )
})

server.listen(0, '127.0.0.1', () => {
  // The cast is safe: a listening TCP server has an address object; only pipes have a string.
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
