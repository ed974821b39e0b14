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
  /** Headers of the caller, with names in lower case. They are only sent to the original origin. */
  callerHeaders: Record<string, string>
  /** Cookies of the caller's browser; each is sent according to its domain and path. */
  cookies?: SavedCookie[] | undefined
  verifyTls: boolean
  /** Returns the maximum size of the decoded body for the response headers, with the name of its setting. */
  bound: (headers: Record<string, string>) => BodyBound
  /** Acquires memory before more of a large body is read. */
  permit?: BodyPermit
  /** Requests of different owners never share a connection. */
  owner: ConnectionOwner
  /** Upstream proxy of the operator. */
  upstream?: URL | undefined
  /** True to use the network fingerprint of a browser, not only its headers. */
  asBrowser?: boolean
}

/** A cookie in the format of the browser storage. */
interface SavedCookie {
  name: string
  value: string
  /** With a leading dot it includes subdomains. */
  domain: string
  path: string
  /** Expiry time in seconds since the epoch; -1 for a session cookie. */
  expires: number
  httpOnly: boolean
  secure: boolean
}

export interface HttpAnswer {
  /** URL after the last redirect. */
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

/**
 * Creates the HTTP client behind the guard, with redirects, cookies, decoding and limits. All outgoing requests except those of
 * browsers use it.
 */
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
      const sendWithRedirects = (send: Sender) => follow(request, send, signal)
      if (request.asBrowser && fingerprints)
        return fingerprints.use(key, { team: owner.team, upstream, verifyTls }, sendWithRedirects)
      return pools.use(key, () => openSender(request, key), sendWithRedirects)
    },
    async close() {
      await Promise.all([pools.close(), fingerprints?.close()])
    },
  }

  async function follow(request: HttpRequest, send: Sender, signal: AbortSignal): Promise<HttpAnswer> {
    let cookies = request.cookies && (await createJar(request.cookies))
    const isThroughEgress = request.upstream !== undefined || request.asBrowser === true
    let url = request.url
    let from: string | undefined
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      if (url.origin !== request.url.origin) from = url.origin
      const headers = await headersFor(request, { url, from }, cookies)
      const response = await sendOne(guard, send, { url, headers, signal, isThroughEgress })
      for (const cookie of response.cookies) {
        cookies ??= new CookieJar(undefined, { looseMode: true })
        await cookies.setCookie(cookie, url.href, { ignoreError: true })
      }
      const next = redirectOf(response.status, response.headers.location, url)
      if (!next) return finish(response, url, { ...request, signal })
      await response.drop()
      url = next
    }
    throw new AppError('SCRAPE_TOO_MANY_REDIRECTS', { phase: 'redirect', redirects: maxRedirects })
  }
}

/** With an upstream proxy, requests still pass through the service's own proxy, which checks the target. */
function exitSender(exit: Exit, verifyTls: boolean): OpenPool<Sender> {
  const agent = new ProxyAgent({ uri: exit.url, requestTls: { rejectUnauthorized: verifyTls } })
  const close = async () => {
    await agent.destroy()
    exit.leave()
  }
  return { value: plainSender(agent), close }
}

async function createJar(saved: SavedCookie[]): Promise<CookieJar> {
  const jar = new CookieJar(undefined, { looseMode: true })
  for (const { name, domain, expires, ...attributes } of saved) {
    const host = domain.replace(/^\./, '')
    const cookie = new Cookie({
      ...attributes,
      key: name,
      ...(host === domain ? {} : { domain: host }),
      ...(expires < 0 ? {} : { expires: new Date(expires * 1000) }),
    })
    // Set as if the site itself had done it: the jar decides whether the cookie is allowed.
    await jar.setCookie(cookie, `https://${host}${attributes.path}`, { ignoreError: true })
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
    const response = await sendFresh(send, hop)
    // The egress proxy strips this header from responses of sites; without it, a site could send it.
    const refusal = hop.isThroughEgress ? response.headers['x-winnow-refused'] : undefined
    if (refusal) {
      await response.drop()
      await explainRefusal(guard, hop.url)
      throw new AppError('SCRAPE_SITE_ERROR', { phase: 'proxy' }, { message: unreachableMessage })
    }
    return response
  } catch (thrown) {
    if (isRefusedTunnel(thrown)) await explainRefusal(guard, hop.url)
    throw toAppError(thrown, 'connect', hop.signal)
  }
}

/**
 * Repeats a request on a dead connection: a site may close a kept-alive connection at the moment it is reused. GET is safe to
 * repeat, and browsers do so too. Each attempt uses up one dead connection, so several attempts may be needed.
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
  // Only a reused connection counts as dead: if a new one ends without a response, the site failed.
  return thrown instanceof errors.SocketError && (thrown.socket?.bytesRead ?? 0) > 0
}

const unreachableMessage =
  'The site could not be reached through the proxy. If the proxy rejects the credentials, the log says so.'

/** Checks the target again after the egress proxy refused it or could not reach it. The guard throws if it refuses the target. */
async function explainRefusal(guard: Guard, url: URL): Promise<void> {
  await guard.resolve(url.hostname, portOf(url))
}

async function finish(
  response: RawAnswer,
  url: URL,
  limitsOf: Pick<HttpRequest, 'bound' | 'permit'> & { signal: AbortSignal },
): Promise<HttpAnswer> {
  const { status, headers } = response
  const limits: BodyLimits = { ...limitsOf.bound(headers), permit: limitsOf.permit, signal: limitsOf.signal }
  try {
    const body = await response.read(limits)
    if (body.isDecoded) return { url, status, headers, bytes: body.bytes, warnings: [] }
    const { bytes, warning } = await decodeBody(body.bytes, headers['content-encoding'], limits)
    return { url, status, headers, bytes, warnings: warning ? [warning] : [] }
  } catch (thrown) {
    throw toAppError(thrown, 'read', undefined)
  }
}

async function headersFor(
  request: HttpRequest,
  { url, from }: { url: URL; from: string | undefined },
  cookies: CookieJar | undefined,
): Promise<Record<string, string>> {
  const cookieHeader = await cookies?.getCookieString(url.href)
  // Browsers send client hints and fetch metadata only over secure connections.
  const { protocol, hostname } = url
  const isTrustworthy = protocol === 'https:' || hostname === 'localhost' || hostname.startsWith('127.')
  const ownHeaders = isTrustworthy ? request.headers : withoutNames(request.headers, isHint)
  const own = { ...ownHeaders, ...(cookieHeader ? { cookie: cookieHeader } : {}) }
  const caller = { origin: request.url.origin, headers: request.callerHeaders }
  const hop = { url, headers: own, isNavigation: true, method: 'GET', from }
  const headers = withCallerHeaders(caller, hop)
  if (!headers.authorization && url.username !== '' && url.origin === caller.origin) {
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

/** Maps a network failure to an AppError. */
function toAppError(thrown: unknown, phase: string, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof AppError || signal?.aborted) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return thrown
  const { reason, words } = toNetworkError(thrown)
  const detail = { phase, cause: reason }
  if (reason === 'TLS') return new AppError('SCRAPE_SSL_ERROR', detail, { cause: thrown })
  return new AppError('SCRAPE_SITE_ERROR', detail, { message: `The site ${words}.`, cause: thrown })
}

/** Creates a sender that uses undici with a guarded dispatcher. */
function plainSender(dispatcher: Dispatcher): Sender {
  return async (url, headers, signal) => {
    const response = await send(url, { dispatcher, method: 'GET', headers, signal })
    return {
      status: response.statusCode,
      headers: joinHeaders(response),
      cookies: [response.headers['set-cookie'] ?? []].flat(),
      async read(limits) {
        try {
          return { bytes: await readBody(response.body, limits), isDecoded: false }
        } catch (thrown) {
          response.body.destroy()
          throw thrown
        }
      },
      async drop() {
        await response.body.dump({ limit: 64 * 1024, signal }).catch(() => response.body.destroy())
      },
    }
  }
}
