import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lamps } from '../documents/post.ts'
import { type Routes, send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** The web sites in the examples. Each host has a folder of pages and its own server. */
const hosts = ['docs.example', 'shop.example', 'hooks.example', 'example.com']
const folder = join(import.meta.dirname, 'pages')

export interface ExampleSites {
  /** Replaces the URLs of a page by URLs of this machine. */
  toHere(text: string): string
  /** Replaces URLs of this machine by the URLs of a page. */
  toPage(text: string): string
  stop(): Promise<void>
}

/**
 * Starts local servers for `https://docs.example` and the other hosts. `http://127.0.0.1:3002` represents the service
 * under test.
 */
export async function startExampleSites(service: string): Promise<ExampleSites> {
  const sites = await Promise.all(hosts.map((host) => startSite({ routes: routesOf(host) })))
  const names = [
    ...hosts.map((host, index) => [`https://${host}`, sites[index]?.url ?? ''] as const),
    ['http://127.0.0.1:3002', service] as const,
    // Host names without a scheme, in lists of domains.
    ...hosts.map((host) => [`"${host}"`, '"127.0.0.1"'] as const),
    // WebSocket URLs of sessions.
    ['ws://127.0.0.1:3002', service.replace('http', 'ws')] as const,
  ]
  return {
    toHere: (text) => names.reduce((result, [name, url]) => result.replaceAll(name, url), text),
    toPage: (text) => names.reduce((result, [name, url]) => result.replaceAll(url, name), text),
    stop: async () => void (await Promise.all(sites.map((site: Site) => site.stop()))),
  }
}

function routesOf(host: string): Routes {
  if (host === 'hooks.example') return { '/winnow': ({ response }) => send(response, {}, '') }
  const files = readdirSync(join(folder, host))
  const pages = files.map((file): [string, Routes[string]] => {
    const text = readFileSync(join(folder, host, file), 'utf8')
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '').replaceAll('--', '/')}`
    return [path, (exchange) => sendHtml(exchange, text)]
  })
  const pdf: [string, Routes[string]] = [
    '/catalogue.pdf',
    ({ response }) => send(response, { 'content-type': 'application/pdf' }, lamps),
  ]
  return Object.fromEntries([...pages, pdf])
}
