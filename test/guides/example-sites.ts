import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lamps } from '../documents/post.ts'
import { type Routes, send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** The web sites that examples name. Each host is a folder of pages and a server of its own. */
const hosts = ['docs.example', 'shop.example', 'hooks.example', 'example.com']
const folder = join(import.meta.dirname, 'pages')

export interface ExampleSites {
  /** An example as it stands on the page → the same with the addresses of this machine. */
  toHere(text: string): string
  /** What came → the same with the addresses of the page. */
  toPage(text: string): string
  stop(): Promise<void>
}

/** `https://docs.example` and the others are local servers; `http://127.0.0.1:3002` is the service under test. */
export async function startExampleSites(service: string): Promise<ExampleSites> {
  const sites = await Promise.all(hosts.map((host) => startSite({ routes: routesOf(host) })))
  const names = [
    ...hosts.map((host, at) => [`https://${host}`, sites[at]?.url ?? ''] as const),
    ['http://127.0.0.1:3002', service] as const,
    // Hosts alone, in lists of domains.
    ...hosts.map((host) => [`"${host}"`, '"127.0.0.1"'] as const),
    // Sockets of sessions.
    ['ws://127.0.0.1:3002', service.replace('http', 'ws')] as const,
  ]
  return {
    toHere: (text) => names.reduce((now, [name, url]) => now.replaceAll(name, url), text),
    toPage: (text) => names.reduce((now, [name, url]) => now.replaceAll(url, name), text),
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
