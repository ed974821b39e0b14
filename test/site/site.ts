import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { answerer, type SiteRequest } from './answer.ts'
import type { Routes } from './route.ts'

export interface Site {
  /** Without a slash at the end, so that `${site.url}/article` is a page. */
  url: string
  port: number
  /** The same site under another host name, for a caller that resolves the name to loopback itself. */
  host(name: string): string
  /** How often a path was asked for; without a query in it, whatever the query was. */
  hits(path: string): number
  /** The latest requests, oldest first; ten thousand at most. */
  requests: SiteRequest[]
  stop(): Promise<void>
}

export interface SiteOptions {
  /** Routes of one test, before those of the site. */
  routes?: Routes
}

/** The fixture web site: one page per difficulty, on a free port of 127.0.0.1. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  return serve(createServer(), 'http', options)
}

export interface TlsSite extends Site {
  /** The self-signed certificate as PEM, for a client that shall trust it. */
  certificate: string
}

/** The same site behind a certificate that nobody signed but itself. */
export async function startTlsSite(options: SiteOptions = {}): Promise<TlsSite> {
  const [key, certificate] = await Promise.all([tlsFile('key.pem'), tlsFile('certificate.pem')])
  const site = await serve(createTlsServer({ key, cert: certificate }), 'https', options)
  return { ...site, certificate }
}

async function serve(server: Server, scheme: string, options: SiteOptions): Promise<Site> {
  const requests: SiteRequest[] = []
  const hits = new Map<string, number>()
  const ending = new AbortController()
  server.on('request', answerer({ ...options, requests, hits, signal: ending.signal }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    host: (name) => `${scheme}://${name}:${port}`,
    hits: (path) => hits.get(path) ?? 0,
    requests,
    async stop() {
      if (ending.signal.aborted) return
      ending.abort()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function tlsFile(name: string) {
  return readFile(new URL(`./tls/${name}`, import.meta.url), 'utf8')
}
