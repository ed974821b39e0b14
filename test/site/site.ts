import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createListener, type SiteRequest } from './answer.ts'
import type { Routes } from './route.ts'

export interface Site {
  /** Has no slash at the end, so that `${site.url}/article` is a page. */
  url: string
  port: number
  /** Returns the URL of the site under another host name, for a caller that resolves the name to loopback itself. */
  host(name: string): string
  /** Returns the number of requests for a path. Without a query in `path`, requests with any query count. */
  hits(path: string): number
  /** The latest ten thousand requests, oldest first. */
  requests: SiteRequest[]
  stop(): Promise<void>
}

export interface SiteOptions {
  /** Routes of one test. They take precedence over those of the site. */
  routes?: Routes
}

/** Starts the fixture web site on a free port of 127.0.0.1. It has one page per difficulty. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  return serve(createServer(), 'http', options)
}

export interface TlsSite extends Site {
  /** Self-signed certificate as PEM, for a client that should trust it. */
  certificate: string
}

/** Starts the same site behind a self-signed certificate. */
export async function startTlsSite(options: SiteOptions = {}): Promise<TlsSite> {
  const [key, certificate] = await Promise.all([tlsFile('key.pem'), tlsFile('certificate.pem')])
  const site = await serve(createTlsServer({ key, cert: certificate }), 'https', options)
  return { ...site, certificate }
}

async function serve(server: Server, scheme: string, options: SiteOptions): Promise<Site> {
  const requests: SiteRequest[] = []
  const hits = new Map<string, number>()
  const stopping = new AbortController()
  server.on('request', createListener({ ...options, requests, hits, signal: stopping.signal }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    host: (name) => `${scheme}://${name}:${port}`,
    hits: (path) => hits.get(path) ?? 0,
    requests,
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function tlsFile(name: string) {
  return readFile(new URL(`./tls/${name}`, import.meta.url), 'utf8')
}
