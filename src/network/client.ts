import { CookieJar } from 'tough-cookie'
import { type Agent, request as send } from 'undici'
import { AppError } from '../base/errors.ts'
import { decodeBody, readBody } from './body.ts'
import { guardedAgent } from './connect.ts'
import type { Guard } from './guard.ts'

export interface HttpRequest {
  url: URL
  /** Headers of ours, sent on every hop. */
  headers: Record<string, string>
  /** Headers of the caller: may hold secrets, so they never leave the origin they were meant for. */
  callerHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: number
}

export interface HttpAnswer {
  /** Where the last redirect led. */
  url: URL
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
  warnings: string[]
}

export interface HttpClient {
  get(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>
  close(): Promise<void>
}

const mostRedirects = 20

/** HTTP behind the guard: redirects, cookies, codings, limits. The one way out for everything that is not a browser. */
export function createHttpClient(guard: Guard): HttpClient {
  const agents = { strict: guardedAgent(guard, true), lenient: guardedAgent(guard, false) }
  return {
    async get(request, signal) {
      const agent = request.verifyTls ? agents.strict : agents.lenient
      let cookies: CookieJar | undefined
      let url = request.url
      for (let hop = 0; hop <= mostRedirects; hop += 1) {
        const headers = await headersFor(request, url, cookies)
        const answer = await sendOne(agent, url, headers, signal)
        for (const cookie of cookiesOf(answer.headers)) {
          cookies ??= new CookieJar(undefined, { looseMode: true })
          await cookies.setCookie(cookie, url.href, { ignoreError: true })
        }
        const next = redirectOf(answer.statusCode, answer.headers.location, url)
        if (!next) return finish(answer, url, request.maxBytes)
        await answer.body.dump({ limit: 64 * 1024, signal }).catch(() => answer.body.destroy())
        url = next
      }
      throw new AppError('SCRAPE_TOO_MANY_REDIRECTS', { phase: 'redirect', redirects: mostRedirects })
    },
    async close() {
      await Promise.all([agents.strict.destroy(), agents.lenient.destroy()])
    },
  }
}

type RawAnswer = Awaited<ReturnType<typeof send>>

async function sendOne(
  dispatcher: Agent,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  try {
    return await send(url, { dispatcher, method: 'GET', headers, signal })
  } catch (thrown) {
    throw failure(thrown, 'connect', signal)
  }
}

async function finish(answer: RawAnswer, url: URL, most: number): Promise<HttpAnswer> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  let raw: Uint8Array
  try {
    raw = await readBody(answer.body, most)
  } catch (thrown) {
    answer.body.destroy()
    throw failure(thrown, 'read', undefined)
  }
  const { bytes, warning } = await decodeBody(raw, headers['content-encoding'], most)
  return { url, status: answer.statusCode, headers, bytes, warnings: warning ? [warning] : [] }
}

async function headersFor(
  request: HttpRequest,
  url: URL,
  cookies: CookieJar | undefined,
): Promise<Record<string, string>> {
  const isHome = url.origin === request.url.origin
  const headers = { ...request.headers, ...(isHome ? request.callerHeaders : {}) }
  const jar = await cookies?.getCookieString(url.href)
  if (jar) headers.cookie = headers.cookie ? `${headers.cookie}; ${jar}` : jar
  if (!headers.authorization && url.username !== '' && isHome) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return headers
}

function cookiesOf(headers: RawAnswer['headers']): string[] {
  const found = headers['set-cookie']
  return found === undefined ? [] : Array.isArray(found) ? found : [found]
}

function redirectOf(status: number, location: string | string[] | undefined, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const target = Array.isArray(location) ? location[0] : location
  if (target === undefined) return undefined
  const next = URL.parse(target, from.href)
  if (!next || (next.protocol !== 'http:' && next.protocol !== 'https:')) {
    throw new AppError(
      'TARGET_FORBIDDEN',
      { phase: 'redirect' },
      { message: 'The URL redirects to something that is neither http nor https, so it is not followed.' },
    )
  }
  // By the fetch standard the fragment of the first URL survives a redirect that brings none of its own.
  if (next.hash === '') next.hash = from.hash
  return next
}

/** What went wrong on the wire, in the words of the error table. */
function failure(thrown: unknown, phase: string, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof AppError || signal?.aborted) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const isTls = /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|EPROTO/.test(code)
  const detail = { phase, cause: code || (thrown instanceof Error ? thrown.message : String(thrown)) }
  return new AppError(isTls ? 'SCRAPE_SSL_ERROR' : 'SCRAPE_SITE_ERROR', detail, { cause: thrown })
}
