import { samples } from '../samples/search-providers.ts'
import type { Routes } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** What an engine does instead of answering. */
export type Trouble = 'captcha' | 'rate limit' | 'error' | 'changed' | 'malformed' | 'silence'

export interface SearchEngines {
  /** For SEARCH_URLS: every provider without a key, at this server. */
  urls: string
  /** What DuckDuckGo finds from now on; without results, that of its documentation. */
  find(...results: { url: string; title: string; text: string }[]): void
  /** From now on a provider has this trouble; undefined ends it. */
  trouble(name: string, trouble: Trouble | undefined): void
  /** The queries that a provider was asked, as they were sent. */
  asked(name: string): URLSearchParams[]
  stop(): Promise<void>
}

/** A server that answers as the providers without a key do, each below a path of its name. */
export async function startSearchEngines(): Promise<SearchEngines> {
  const troubles = new Map<string, Trouble>()
  let found: string | undefined
  const routes: Routes = {}
  for (const { provider, answer, changed } of samples) {
    const reply: Routes[string] = ({ response }) => {
      const trouble = troubles.get(provider.name)
      const whole = (provider.name === 'duckduckgo' && found) || answer
      if (trouble === 'silence') return
      if (trouble === 'rate limit') response.writeHead(429, { 'retry-after': '30' }).end('Slow down.')
      else if (trouble === 'error') response.writeHead(500).end('Out of order.')
      else if (trouble === 'captcha') response.writeHead(202, html).end(captcha)
      else response.writeHead(200, whole.startsWith('<') ? html : json)
      if (trouble === undefined) response.end(whole)
      else if (trouble === 'changed') response.end(changed)
      else if (trouble === 'malformed') response.end(whole.slice(0, 20))
    }
    // Their own paths stand below the address that they are given.
    for (const path of ['', '/:a', '/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d'])
      routes[`/${provider.name}${path}`] = reply
  }
  const server: Site = await startSite({ routes })
  return {
    urls: samples.map(({ provider }) => `${provider.name}=${server.url}/${provider.name}`).join(','),
    find(...results) {
      const list = results.map(({ url, title, text }) => duckResult(url, title, text)).join('')
      const whole = `<!DOCTYPE html><html><body><div id="links" class="results">${list}</div></body></html>`
      found = results.length === 0 ? undefined : whole
    },
    trouble: (name, trouble) => void (trouble ? troubles.set(name, trouble) : troubles.delete(name)),
    asked: (name) =>
      server.requests
        .filter(({ path }) => path.split(/[/?]/)[1] === name)
        .map(({ path, body }) => new URLSearchParams(body || path.split('?')[1])),
    stop: server.stop,
  }
}

const html = { 'content-type': 'text/html; charset=utf-8' }
const json = { 'content-type': 'application/json' }
const captcha =
  '<!DOCTYPE html><html><body><form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>'

const duckResult = (url: string, title: string, text: string) =>
  `<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1">${title}</a></h2><a class="result__snippet">${text}</a></div>`
