import type { IncomingHttpHeaders } from 'node:http'
import { brave } from '../../src/search/providers/brave.ts'
import { generic } from '../../src/search/providers/generic.ts'
import { google } from '../../src/search/providers/google.ts'
import type { SearchProvider } from '../../src/search/providers/provider.ts'
import { searxng } from '../../src/search/providers/searxng.ts'
import { serper } from '../../src/search/providers/serper.ts'
import { tavily } from '../../src/search/providers/tavily.ts'
import type { Exchange, Routes } from '../site/route.ts'
import { startSite } from '../site/site.ts'

/** Faults of an engine. `broken` closes the connection in the middle of the response. */
export type KeyedTrouble =
  | 'captcha'
  | 'rate limit'
  | 'error'
  | 'changed'
  | 'malformed'
  | 'broken'
  | 'endless'
  | 'silence'

/** A request as a search engine with a key parses it. */
interface EngineRequest {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** Requests and responses of a search service with a key, from its documentation. */
interface KeyedEngine {
  provider: SearchProvider
  method: 'GET' | 'POST'
  path: string
  /** Template after its URL in SEARCH_URLS. */
  template?: string
  keyOf(asked: EngineRequest): unknown
  wordsOf(asked: EngineRequest): unknown
  /** Returns the response for one result. */
  answer(found: { url: string; title: string; text: string }): object
  /** Status and body of the response for a wrong key. */
  refusal: [number, object]
}

const bearer = ({ headers }: EngineRequest) => headers.authorization?.replace('Bearer ', '')
const inQuery = (name: string) => (engineRequest: EngineRequest) => engineRequest.query.get(name)

export const keyedEngines: KeyedEngine[] = [
  {
    ...{ provider: searxng, method: 'GET', path: '/search', keyOf: () => 'secret', wordsOf: inQuery('q') },
    answer: ({ url, title, text }) => ({ query: 'q', results: [{ url, title, content: text }] }),
    refusal: [403, {}],
  },
  {
    ...{ provider: brave, method: 'GET', path: '/res/v1/web/search', wordsOf: inQuery('q') },
    keyOf: ({ headers }) => headers['x-subscription-token'],
    answer: ({ url, title, text }) => ({
      type: 'search',
      web: { results: [{ url, title, description: text }] },
    }),
    refusal: [422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }],
  },
  {
    ...{ provider: serper, method: 'POST', path: '/search', wordsOf: ({ body }) => body.q },
    keyOf: ({ headers }) => headers['x-api-key'],
    answer: ({ url, title, text }) => ({ organic: [{ link: url, title, snippet: text }] }),
    refusal: [403, { message: 'Unauthorized.', statusCode: 403 }],
  },
  {
    ...{ provider: google, method: 'GET', path: '/customsearch/v1', wordsOf: inQuery('q') },
    keyOf: ({ query }) => (query.get('cx') === 'engine' ? query.get('key') : undefined),
    answer: ({ url, title, text }) => ({
      ...{ kind: 'customsearch#search', items: [{ link: url, title, snippet: text }] },
    }),
    refusal: [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }],
  },
  {
    ...{
      provider: tavily,
      method: 'POST',
      path: '/search',
      keyOf: bearer,
      wordsOf: ({ body }) => body.query,
    },
    answer: ({ url, title, text }) => ({ results: [{ url, title, content: text, score: 0.9 }] }),
    refusal: [401, { detail: { error: 'Unauthorized: missing or invalid API key.' } }],
  },
  {
    ...{ provider: generic, method: 'GET', path: '/find', keyOf: bearer, wordsOf: inQuery('words') },
    template: '/find?words={query}&most={limit}',
    answer: ({ url, title, text }) => ({ hits: [{ link: url, name: title, description: text }] }),
    refusal: [401, {}],
  },
]

export interface KeyedEngines {
  /** Returns the URL of an engine as SEARCH_URLS contains it. */
  url(name: string): string
  /** Sets the fault of an engine; undefined removes it. */
  trouble(name: string, trouble: KeyedTrouble | undefined): void
  /** Returns the number of calls of an engine. */
  calls(name: string): number
  stop(): Promise<void>
}

/** The only query that has a result. */
const knownQuery = 'green tea'

/** Starts a server that responds like the services with a key or their own URL, each under a path with its name. */
export async function startKeyedEngines(): Promise<KeyedEngines> {
  const troubles = new Map<string, KeyedTrouble>()
  const calls = new Map<string, number>()
  const routes: Routes = {}
  for (const engine of keyedEngines) {
    const { name } = engine.provider
    routes[`/${name}${engine.path}`] = (exchange) => {
      calls.set(name, (calls.get(name) ?? 0) + 1)
      const trouble = troubles.get(name)
      if (trouble) return respondWithTrouble(exchange.response, trouble, fullResponse(engine))
      return respond(engine, exchange)
    }
  }
  const server = await startSite({ routes })
  const template = (name: string) =>
    keyedEngines.find(({ provider }) => provider.name === name)?.template ?? ''
  return {
    url: (name) => `${server.url}/${name}${template(name)}`,
    trouble: (name, trouble) => void (trouble ? troubles.set(name, trouble) : troubles.delete(name)),
    calls: (name) => calls.get(name) ?? 0,
    stop: server.stop,
  }
}

const fullResponse = ({ provider, answer }: KeyedEngine) =>
  JSON.stringify(
    answer({ url: `https://${provider.name}.example/tea`, title: 'Green tea', text: `By ${provider.name}.` }),
  )

async function respond(engine: KeyedEngine, { request, response, url }: Exchange): Promise<void> {
  const text = (await request.toArray()).join('')
  const engineRequest: EngineRequest = {
    ...{ path: url.pathname, query: url.searchParams, headers: request.headers },
    body: text === '' ? {} : JSON.parse(text),
  }
  const [status, refusal] = engine.refusal
  if (request.method !== engine.method) response.writeHead(405).end()
  else if (engine.keyOf(engineRequest) !== 'secret')
    response.writeHead(status, json).end(JSON.stringify(refusal))
  else if (engine.wordsOf(engineRequest) !== knownQuery)
    response.writeHead(400, json).end('{"message":"not asked for tea"}')
  else response.writeHead(200, json).end(fullResponse(engine))
}

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
const captcha = '<!DOCTYPE html><title>Just a moment</title><p>Prove that you are human.'

function respondWithTrouble(response: Exchange['response'], trouble: KeyedTrouble, text: string): void {
  const troubles: Record<KeyedTrouble, () => unknown> = {
    captcha: () => response.writeHead(403, html).end(captcha),
    'rate limit': () => response.writeHead(429, { ...json, 'retry-after': '30' }).end('{}'),
    error: () => response.writeHead(500, html).end('<h1>Out of order</h1>'),
    changed: () => response.writeHead(200, json).end('{"found":{"pages":3}}'),
    malformed: () => response.writeHead(200, json).end(text.slice(0, 25)),
    broken: () => {
      response.writeHead(200, { ...json, 'content-length': text.length }).write(text.slice(0, 25), () => {
        response.destroy()
      })
    },
    endless: () => {
      response.writeHead(200, json)
      const writeMore = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      }
      response.on('drain', writeMore)
      writeMore()
    },
    silence: () => undefined,
  }
  troubles[trouble]()
}
