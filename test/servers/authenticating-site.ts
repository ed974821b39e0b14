import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface AuthenticatingSite {
  url: string
  /** Number of connections that have sent a request. */
  connections(): number
  requests(): number
  stop(): Promise<void>
}

/**
 * Starts a site that authenticates connections, as NTLM and Negotiate do: the first credentials on a connection are
 * valid for all of its later requests. Each page names the account of its connection.
 */
export async function startAuthenticatingSite(scheme: 'http' | 'https'): Promise<AuthenticatingSite> {
  const accounts = new Map<Socket, string>()
  let requests = 0
  const handle: RequestListener = async (request, response) => {
    const { socket, url = '/' } = request
    if (url.includes('robots.txt') || url.includes('sitemap')) return void response.writeHead(404).end()
    requests += 1
    request.resume()
    await once(request, 'end')
    const { authorization, cookie } = request.headers
    const known = accounts.get(socket)
    accounts.set(socket, known ?? authorization ?? cookie ?? '')
    response.setHeader('x-account', accounts.get(socket) ?? '')
    const links = [1, 2, 3, 4].map((page) => `<a href="/page/${page}">Page ${page}</a>`).join(' ')
    const text = 'The text of this page is long enough to be a page. '.repeat(10)
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>${url}</title><main><h1>${url}</h1><p>Account: [${accounts.get(socket)}]</p><p>${text}</p>${links}</main>`,
    )
  }
  const server = scheme === 'http' ? createServer(handle) : createTlsServer(await certificate(), handle)
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    connections: () => accounts.size,
    requests: () => requests,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function certificate(): Promise<{ key: string; cert: string }> {
  const file = (name: string) => readFile(new URL(`../site/tls/${name}`, import.meta.url), 'utf8')
  const [key, cert] = await Promise.all([file('key.pem'), file('certificate.pem')])
  return { key, cert }
}
