import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Request for a page. */
export interface PageRequest {
  request: IncomingMessage
  url: URL
  /** Number of requests for this path, including this one. */
  count: number
  /** Returns the URL of a path on this site. */
  toUrl(path: string): string
  /** Returns the URL of a path on another site. */
  toOtherSiteUrl(path: string): string
}

/** Response of a route; a string is an HTML page. */
export type Reply =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array; afterMs?: number }

export type Route = Reply | ((visit: PageRequest) => Reply | Promise<Reply>)

/** Routes by path; a path that ends with `*` matches by prefix. */
export type Routes = Record<string, Route>

export interface Web {
  http: string
  https: string
  /** Base URL of another site with the same routes. */
  otherSite: string
  stop(): Promise<void>
}

let sites = 0

/** Starts the site of one case on its own addresses, with and without TLS. */
export async function startWeb(routes: Routes): Promise<Web> {
  sites += 1
  const [host, otherHost] = [`127.1.0.${sites}`, `127.2.0.${sites}`]
  const tls = new URL('../../test/site/tls/', import.meta.url)
  const [key, cert] = await Promise.all(
    ['key.pem', 'certificate.pem'].map((name) => readFile(new URL(name, tls))),
  )
  const counts = new Map<string, number>()
  const baseUrls = { http: '', https: '', otherSite: '' }
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? host}`)
    const count = (counts.get(url.pathname) ?? 0) + 1
    counts.set(url.pathname, count)
    const toUrl = (path: string) => baseUrls.http + path
    const visit = { request, url, count, toUrl, toOtherSiteUrl: (path: string) => baseUrls.otherSite + path }
    findReply(routes, visit)
      .then((reply) => send(response, reply))
      .catch(() => response.destroy())
  }
  // The servers listen on all addresses, which include the second host.
  const plain = createServer(listener)
  const secure = createTlsServer({ ...(key && { key }), ...(cert && { cert }) }, listener)
  const [port, securePort] = [await listen(plain), await listen(secure)]
  Object.assign(baseUrls, {
    ...{ http: `http://${host}:${port}`, https: `https://${host}:${securePort}` },
    otherSite: `http://${otherHost}:${port}`,
  })
  return {
    ...baseUrls,
    async stop() {
      for (const server of [plain, secure]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

async function listen(server: Server): Promise<number> {
  // Connections that do not come from a loopback address are closed.
  server.on('connection', (socket) => {
    if (!/^(?:::ffff:)?127\./.test(socket.remoteAddress ?? '')) socket.destroy()
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  // The cast is safe: a listening TCP server has an address object; only pipes have a string.
  return (server.address() as AddressInfo).port
}

async function findReply(routes: Routes, visit: PageRequest): Promise<Reply> {
  const { pathname } = visit.url
  const route =
    routes[pathname] ??
    Object.entries(routes).find(([path]) => path.endsWith('*') && pathname.startsWith(path.slice(0, -1)))?.[1]
  if (route === undefined && pathname.startsWith('/other/')) return otherPage(pathname)
  if (route === undefined)
    return { status: 404, body: '<h1>Not found</h1><p>Nothing is at this address.</p>' }
  return typeof route === 'function' ? route(visit) : route
}

/** Page of every site for successful calls. */
const otherPage = (path: string) =>
  `<title>Other</title><main><h1>Other</h1><p>${`The page ${path} is read from its first to its last word. `.repeat(8)}</p></main>`

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const {
    status = 200,
    headers = {},
    body = '',
    afterMs = 0,
  } = typeof reply === 'string' ? { body: reply } : reply
  await sleep(afterMs)
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
}
