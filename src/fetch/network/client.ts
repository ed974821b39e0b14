import { unescape as decode } from 'node:querystring'
import { Cookie, CookieJar } from 'tough-cookie'
import { type Dispatcher, errors, ProxyAgent, request as send } from 'undici'
import { withCallerHeaders } from '../../platform/caller-headers.ts'
import { AppError } from '../../platform/errors.ts'
import { type BodyBound, type BodyLimits, type BodyPermit, decodeBody, readBody } from './body.ts'
import { createGuardedAgent, joinHeaders, toNetworkError } from './connect.ts'
import { type ConnectionOwner, createConnectionPools, type OpenPool, poolKey } from './connection-pools.ts'
import type { Egress, Exit } from './egress/egress.ts'
import {
  createFingerprintPools,
  isConnectionLost,
  isHint,
  isRefusedTunnel,
  type RawAnswer,
  type Sender,
  withoutNames,
} from './fingerprint-pools.ts'
import { type Guard, portOf } from './guard.ts'

export interface HttpRequest {
  url: URL
  /** Headers of the service, sent on every hop. */
  headers: Record<string, string>
  /** Headers of the caller, with names in lower case: they are only sent to the original origin. */
  callerHeaders: Record<string, string>
  /** Cookies of the caller's browser; each is sent according to its domain and path. */
  cookies?: SavedCookie[] | undefined
  verifyTls: boolean
  /** Maximum size of the decoded body, depending on the response headers; the bound has a name. */
  bound: (headers: Record<string, string>) => BodyBound
  /** Requests room before more of a large body is read. */
  room?: BodyPermit
  /** Requests of different owners never share a connection. */
  owner: ConnectionOwner
  /** The operator's proxy to use. */
  upstream?: URL | undefined
  /** Use the network fingerprint of a browser, not only its headers. */
  asBrowser?: boolean
}

/** A cookie as a browser has kept it. */
interface SavedCookie {
  name: string
  value: string
  /** With a leading dot it includes subdomains. */
  domain: string
  path: string
  /** Seconds; -1: when the browser ends. */
  expires: number
  httpOnly: boolean
  secure: boolean
}

export interface HttpAnswer {
  /** The URL after the last redirect. */
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

const maxRedirects = 20

/** HTTP behind the guard: redirects, cookies, codings, limits. All outgoing requests except those of browsers use it. */
export function createHttpClient(guard: Guard, egress?: Egress): HttpClient {
  const pools = createConnectionPools<Sender>()
  const fingerprints = egress && createFingerprintPools(egress)

  async function openSender(request: HttpRequest, pool: string): Promise<OpenPool<Sender>> {
    const { owner, upstream } = request
    const exit = upstream && (await egress?.exit({ team: owner.team, upstream, pool }))
    if (exit) return exitSender(exit, request.verifyTls)
    const agent = createGuardedAgent(guard, request.verifyTls)
    return { value: plainSender(agent), close: () => agent.destroy() }
  }

  return {
    get(request, signal) {
      const { owner, upstream, verifyTls, callerHeaders: headers, cookies, url } = request
      const key = JSON.stringify([poolKey(owner, { headers, cookies, url }), verifyTls, upstream])
      const work = (send: Sender) => follow(request, send, signal)
      if (request.asBrowser && fingerprints)
        return fingerprints.use(key, { team: owner.team, upstream, verifyTls }, work)
      return pools.use(key, () => openSender(request, key), work)
    },
    async close() {
      await Promise.all([pools.close(), fingerprints?.close()])
    },
  }

  async function follow(request: HttpRequest, send: Sender, signal: AbortSignal): Promise<HttpAnswer> {
    let cookies = request.cookies && (await jarOf(request.cookies))
    const isThroughEgress = request.upstream !== undefined || request.asBrowser === true
    let url = request.url
    let from: string | undefined
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      if (url.origin !== request.url.origin) from = url.origin
      const headers = await headersFor(request, { url, from }, cookies)
      const answer = await sendOne(guard, send, { url, headers, signal, isThroughEgress })
      for (const cookie of answer.cookies) {
        cookies ??= new CookieJar(undefined, { looseMode: true })
        await cookies.setCookie(cookie, url.href, { ignoreError: true })
      }
      const next = redirectOf(answer.status, answer.headers.location, url)
      if (!next) return finish(answer, url, { ...request, signal })
      await answer.drop()
      url = next
    }
    throw new AppError('SCRAPE_TOO_MANY_REDIRECTS', { phase: 'redirect', redirects: maxRedirects })
  }
}

/** With an upstream proxy, requests still pass through our own proxy, which checks the target. */
function exitSender(exit: Exit, verifyTls: boolean): OpenPool<Sender> {
  const agent = new ProxyAgent({ uri: exit.url, requestTls: { rejectUnauthorized: verifyTls } })
  const close = async () => {
    await agent.destroy()
    exit.leave()
  }
  return { value: plainSender(agent), close }
}

async function jarOf(saved: SavedCookie[]): Promise<CookieJar> {
  const jar = new CookieJar(undefined, { looseMode: true })
  for (const { name, domain, expires, ...kept } of saved) {
    const host = domain.replace(/^\./, '')
    const cookie = new Cookie({
      ...kept,
      key: name,
      ...(host === domain ? {} : { domain: host }),
      ...(expires < 0 ? {} : { expires: new Date(expires * 1000) }),
    })
    // Set as if the site itself had done it: the jar decides whether it may.
    await jar.setCookie(cookie, `https://${host}${kept.path}`, { ignoreError: true })
  }
  return jar
}

interface Hop {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  isThroughEgress: boolean
}

async function sendOne(guard: Guard, send: Sender, hop: Hop): Promise<RawAnswer> {
  try {
    const answer = await sendFresh(send, hop)
    // Our proxy strips this header from the answers of sites; without it, a site could send it.
    const refused = hop.isThroughEgress ? answer.headers['x-winnow-refused'] : undefined
    if (refused) {
      await answer.drop()
      await explainRefusal(guard, hop.url)
      throw new AppError('SCRAPE_SITE_ERROR', { phase: 'proxy' }, { message: unreached })
    }
    return answer
  } catch (thrown) {
    if (isRefusedTunnel(thrown)) await explainRefusal(guard, hop.url)
    throw failure(thrown, 'connect', hop.signal)
  }
}

/**
 * A site may close a kept-alive connection at the moment it is used again. These requests are safe to repeat, and browsers
 * do so as well. Each attempt uses up one dead connection, so several attempts may be needed.
 */
async function sendFresh(send: Sender, { url, headers, signal }: Hop): Promise<RawAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(url, headers, signal)
    } catch (thrown) {
      if (attempt === maxDeadConnections || signal.aborted || !isDeadConnection(thrown)) throw thrown
    }
  }
}

const maxDeadConnections = 3

function isDeadConnection(thrown: unknown): boolean {
  if (isConnectionLost(thrown)) return true
  // Only a reused connection: if a new one ends without a response, the site is at fault.
  return thrown instanceof errors.SocketError && (thrown.socket?.bytesRead ?? 0) > 0
}

const unreached =
  'The site could not be reached through the proxy. If the proxy rejects the credentials, the log says so.'

/** Our own proxy refused the target or could not reach it; the guard throws the reason if it refused. */
async function explainRefusal(guard: Guard, url: URL): Promise<void> {
  await guard.resolve(url.hostname, portOf(url))
}

async function finish(
  answer: RawAnswer,
  url: URL,
  how: Pick<HttpRequest, 'bound' | 'room'> & { signal: AbortSignal },
): Promise<HttpAnswer> {
  const { status, headers } = answer
  const limits: BodyLimits = { ...how.bound(headers), room: how.room, signal: how.signal }
  try {
    const body = await answer.read(limits)
    if (body.isDecoded) return { url, status, headers, bytes: body.bytes, warnings: [] }
    const { bytes, warning } = await decodeBody(body.bytes, headers['content-encoding'], limits)
    return { url, status, headers, bytes, warnings: warning ? [warning] : [] }
  } catch (thrown) {
    throw failure(thrown, 'read', undefined)
  }
}

async function headersFor(
  request: HttpRequest,
  { url, from }: { url: URL; from: string | undefined },
  cookies: CookieJar | undefined,
): Promise<Record<string, string>> {
  const jar = await cookies?.getCookieString(url.href)
  // Browsers send these headers about themselves and the navigation only over secure connections.
  const { protocol, hostname } = url
  const isTrustworthy = protocol === 'https:' || hostname === 'localhost' || hostname.startsWith('127.')
  const said = isTrustworthy ? request.headers : withoutNames(request.headers, isHint)
  const own = { ...said, ...(jar ? { cookie: jar } : {}) }
  const caller = { home: request.url.origin, headers: request.callerHeaders }
  const hop = { url, headers: own, isNavigation: true, method: 'GET', from }
  const headers = withCallerHeaders(caller, hop)
  if (!headers.authorization && url.username !== '' && url.origin === caller.home) {
    // A site may redirect to a URL with broken escapes, which are sent as they are.
    const pair = `${decode(url.username)}:${decode(url.password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return headers
}

function redirectOf(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const next = URL.parse(location, from.href)
  if (!next || (next.protocol !== 'http:' && next.protocol !== 'https:')) {
    const message =
      'The URL redirects to a URL that is neither http nor https, so the service does not follow it.'
    throw new AppError('TARGET_FORBIDDEN', { phase: 'redirect' }, { message })
  }
  // By the fetch standard, the fragment of the first URL is kept if the redirect target has none.
  if (next.hash === '') next.hash = from.hash
  return next
}

/** Maps a network failure to an error of the table. */
function failure(thrown: unknown, phase: string, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof AppError || signal?.aborted) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return thrown
  const { reason, words } = toNetworkError(thrown)
  const detail = { phase, cause: reason }
  if (reason === 'TLS') return new AppError('SCRAPE_SSL_ERROR', detail, { cause: thrown })
  return new AppError('SCRAPE_SITE_ERROR', detail, { message: `The site ${words}.`, cause: thrown })
}

/** Sends with undici, over connections that the dispatcher checks. */
function plainSender(dispatcher: Dispatcher): Sender {
  return async (url, headers, signal) => {
    const answer = await send(url, { dispatcher, method: 'GET', headers, signal })
    return {
      status: answer.statusCode,
      headers: joinHeaders(answer),
      cookies: [answer.headers['set-cookie'] ?? []].flat(),
      async read(limits) {
        try {
          return { bytes: await readBody(answer.body, limits), isDecoded: false }
        } catch (thrown) {
          answer.body.destroy()
          throw thrown
        }
      },
      async drop() {
        await answer.body.dump({ limit: 64 * 1024, signal }).catch(() => answer.body.destroy())
      },
    }
  }
}
