import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** Starts a site in a worker thread. Each of its files has the maximum size and cost that the service accepts. */
const robotsBytes = 500 * 1024
const robots = ['user-agent: *']
for (let bytes = 0, index = 0; bytes < robotsBytes; index += 1) {
  const line = `disallow:/*ab*${index % 10}*b*${index}`
  robots.push(line)
  bytes += line.length + 1
}
const sitemapEntries = Array.from(
  { length: 50_000 },
  (_, index) => `<url><loc>LOC/p${index}?${'ab'.repeat(40)}</loc></url>`,
)
const links = Array.from({ length: 1000 }, (_, index) => `<a a href="/p${index}?${'ab'.repeat(40)}">On</a>`)
const page = `<title>Page</title>${'<b a>'.repeat(200)}text${'</b>'.repeat(200)}${'<p a>The tide of every evening.</p>'.repeat(200)}${links.join('\n')}`

const server = createServer((request, response) => {
  const site = `http://${request.headers.host}`
  const path = request.url ?? ''
  // A webhook receiver must read the request body.
  request.resume()
  if (path === '/robots.txt')
    return void response.setHeader('content-type', 'text/plain').end(robots.join('\n'))
  if (path.endsWith('.xml')) {
    response.setHeader('content-type', 'application/xml')
    const text = sitemapEntries.join('\n').replaceAll('LOC', site)
    return void response.end(`<?xml version="1.0"?><urlset>${text}</urlset>`)
  }
  response.setHeader('content-type', 'text/html').end(page)
})
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
