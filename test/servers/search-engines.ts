import { samples } from '../samples/search-providers.ts'
import type { Routes } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Faults of an engine. */
export type Trouble = 'captcha' | 'rate limit' | 'error' | 'changed' | 'malformed' | 'silence'

export interface SearchEngines {
  /** Value for SEARCH_URLS: every provider without a key, at this server. */
  urls: string
  /** Sets the results of DuckDuckGo. Without results, DuckDuckGo returns the sample of its documentation. */
  find(...results: { url: string; title: string; text: string }[]): void
  /** Sets the fault of a provider; undefined removes it. */
  trouble(name: string, trouble: Trouble | undefined): void
  /** Returns the queries that a provider received, as they were sent. */
  requestsTo(name: string): URLSearchParams[]
  stop(): Promise<void>
}

/** Starts a server that responds like the providers without a key, each under a path with its name. */
export async function startSearchEngines(): Promise<SearchEngines> {
  const troubles = new Map<string, Trouble>()
  let duckResponse: string | undefined
  const routes: Routes = {}
  for (const { provider, answer, changed } of samples) {
    const reply: Routes[string] = ({ response }) => {
      const trouble = troubles.get(provider.name)
      const fullResponse = (provider.name === 'duckduckgo' && duckResponse) || answer
      if (trouble === 'silence') return
      if (trouble === 'rate limit') response.writeHead(429, { 'retry-after': '30' }).end('Slow down.')
      else if (trouble === 'error') response.writeHead(500).end('Out of order.')
      else if (trouble === 'captcha') response.writeHead(202, html).end(captcha)
      else response.writeHead(200, fullResponse.startsWith('<') ? html : json)
      if (trouble === undefined) response.end(fullResponse)
      else if (trouble === 'changed') response.end(changed)
      else if (trouble === 'malformed') response.end(fullResponse.slice(0, 20))
    }
    // The paths of the providers follow their base URL.
    for (const path of ['', '/:a', '/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d'])
      routes[`/${provider.name}${path}`] = reply
  }
  const server: Site = await startSite({ routes })
  return {
    urls: samples.map(({ provider }) => `${provider.name}=${server.url}/${provider.name}`).join(','),
    find(...results) {
      const list = results.map(({ url, title, text }) => duckResult(url, title, text)).join('')
      const page = `<!DOCTYPE html><html><body><div id="links" class="results">${list}</div></body></html>`
      duckResponse = results.length === 0 ? undefined : page
    },
    trouble: (name, trouble) => void (trouble ? troubles.set(name, trouble) : troubles.delete(name)),
    requestsTo: (name) =>
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
