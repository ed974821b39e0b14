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

/** What an engine does instead of answering; `broken` ends the connection in the middle of the answer. */
export type KeyedTrouble =
  | 'captcha'
  | 'rate limit'
  | 'error'
  | 'changed'
  | 'malformed'
  | 'broken'
  | 'endless'
  | 'silence'

/** One request as an engine with a key reads it. */
interface Asked {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** How a service with a key is called and answers, by its documentation. */
interface KeyedEngine {
  provider: SearchProvider
  method: 'GET' | 'POST'
  path: string
  /** What follows its address in SEARCH_URLS. */
  template?: string
  keyOf(asked: Asked): unknown
  wordsOf(asked: Asked): unknown
  /** The answer for one result. */
  answer(found: { url: string; title: string; text: string }): object
  /** How it refuses a wrong key: status and body. */
  refusal: [number, object]
}

const bearer = ({ headers }: Asked) => headers.authorization?.replace('Bearer ', '')
const inQuery = (name: string) => (asked: Asked) => asked.query.get(name)

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
  /** The address of an engine, as SEARCH_URLS has it. */
  url(name: string): string
  /** From now on an engine has this trouble; undefined ends it. */
  trouble(name: string, trouble: KeyedTrouble | undefined): void
  /** How often an engine was called. */
  calls(name: string): number
  stop(): Promise<void>
}

/** Everything but these words is found nowhere. */
const known = 'green tea'

/** A server that answers as the services with a key or an address of their own do, each below a path of its name. */
export async function startKeyedEngines(): Promise<KeyedEngines> {
  const troubles = new Map<string, KeyedTrouble>()
  const calls = new Map<string, number>()
  const routes: Routes = {}
  for (const engine of keyedEngines) {
    const { name } = engine.provider
    routes[`/${name}${engine.path}`] = (exchange) => {
      calls.set(name, (calls.get(name) ?? 0) + 1)
      const trouble = troubles.get(name)
      if (trouble) return inTrouble(exchange.response, trouble, whole(engine))
      return answer(engine, exchange)
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

const whole = ({ provider, answer }: KeyedEngine) =>
  JSON.stringify(
    answer({ url: `https://${provider.name}.example/tea`, title: 'Green tea', text: `By ${provider.name}.` }),
  )

async function answer(engine: KeyedEngine, { request, response, url }: Exchange): Promise<void> {
  const text = (await request.toArray()).join('')
  const asked: Asked = {
    ...{ path: url.pathname, query: url.searchParams, headers: request.headers },
    body: text === '' ? {} : JSON.parse(text),
  }
  const [status, refusal] = engine.refusal
  if (request.method !== engine.method) response.writeHead(405).end()
  else if (engine.keyOf(asked) !== 'secret') response.writeHead(status, json).end(JSON.stringify(refusal))
  else if (engine.wordsOf(asked) !== known)
    response.writeHead(400, json).end('{"message":"not asked for tea"}')
  else response.writeHead(200, json).end(whole(engine))
}

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
const captcha = '<!DOCTYPE html><title>Just a moment</title><p>Prove that you are human.'

function inTrouble(response: Exchange['response'], trouble: KeyedTrouble, text: string): void {
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
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
    silence: () => undefined,
  }
  troubles[trouble]()
}
