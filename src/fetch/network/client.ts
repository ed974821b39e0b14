import { unescape as decode } from 'node:querystring'
import { Cookie, CookieJar } from 'tough-cookie'
import { type Dispatcher, errors, ProxyAgent, request as send } from 'undici'
import type { StorageState } from '../../browser/profile/profile-state.ts'
import { withCallerHeaders } from '../../platform/caller-headers.ts'
import { AppError } from '../../platform/errors.ts'
import { type BodyBound, type BodyLimits, type BodyPermit, decodeBody, readBody } from './body.ts'
import { createGuardedAgent, joinHeaders, toNetworkError } from './connect.ts'
import { type ConnectionOwner, createConnectionPools, type OpenPool, poolKey } from './connection-pools.ts'
import type { Egress } from './egress/egress.ts'
import { rejectionHeader } from './egress/refusal.ts'
import {
  createFingerprintPools,
  isConnectionLost,
  isFailedTunnel,
  isSecHeader,
  omitHeaders,
  type RawResponse,
  type Sender,
} from './fingerprint-pools.ts'
import { type Guard, portOf } from './guard.ts'

export interface HttpRequest {
  url: URL
  headers: Record<string, string>
  /** Names in lower case; only sent to the original origin. */
  callerHeaders: Record<string, string>
  cookies?: StorageState['cookies'] | undefined
  verifyTls: boolean
  bound: (headers: Record<string, string>) => BodyBound
  permit?: BodyPermit
  owner: ConnectionOwner
  upstream?: URL | undefined
  asBrowser?: boolean
}

export interface HttpResponse {
  url: URL
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
  warnings: string[]
}

const maxRedirects = 20

/** Handles redirects, cookies, decoding and limits. Connects only to targets that the guard allows. */
export function createHttpClient(guard: Guard, egress?: Egress) {
  const pools = createConnectionPools<Sender>()
  const fingerprints = egress && createFingerprintPools(egress)

  async function openSender(request: HttpRequest, pool: string): Promise<OpenPool<Sender>> {
    const { owner, upstream } = request
    // Requests through an upstream proxy also pass through the service's own proxy, which checks the target.
    const exit = upstream && (await egress?.exit({ team: owner.team, upstream, pool }))
    const agent = exit
      ? new ProxyAgent({ uri: exit.url, requestTls: { rejectUnauthorized: request.verifyTls } })
      : createGuardedAgent(guard, request.verifyTls)
    const close = async () => {
      await agent.destroy()
      exit?.release()
    }
    return { value: plainSender(agent), close }
  }

  return {
    get(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
      const { owner, upstream, verifyTls, callerHeaders: headers, cookies, url } = request
      const key = JSON.stringify([poolKey(owner, { headers, cookies, url }), verifyTls, upstream])
      const sendWithRedirects = (send: Sender) => followRedirects(request, send, signal)
      if (request.asBrowser && fingerprints)
        return fingerprints.use(key, { team: owner.team, upstream, verifyTls }, sendWithRedirects)
      return pools.use(key, () => openSender(request, key), sendWithRedirects)
    },
    async close() {
      await Promise.all([pools.close(), fingerprints?.close()])
    },
  }

  async function followRedirects(
    request: HttpRequest,
    send: Sender,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let cookies = request.cookies && (await createJar(request.cookies))
    const isThroughEgress = request.upstream !== undefined || request.asBrowser === true
    let url = request.url
    let from: string | undefined
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      if (url.origin !== request.url.origin) from = url.origin
      const headers = await buildHeaders(request, { url, from }, cookies)
      const response = await sendHop(guard, send, { url, headers, signal, isThroughEgress })
      for (const cookie of response.cookies) {
        cookies ??= new CookieJar(undefined, { looseMode: true })
        await cookies.setCookie(cookie, url.href, { ignoreError: true })
      }
      const next = getRedirectTarget(response.status, response.headers.location, url)
      if (!next) return readResponse(response, url, { ...request, signal })
      await response.drop()
      url = next
    }
    throw new AppError('SCRAPE_TOO_MANY_REDIRECTS', { phase: 'redirect', redirects: maxRedirects })
  }
}

export type HttpClient = ReturnType<typeof createHttpClient>

async function createJar(saved: StorageState['cookies']): Promise<CookieJar> {
  const jar = new CookieJar(undefined, { looseMode: true })
  for (const { name, domain, expires, ...attributes } of saved) {
    // A leading dot includes subdomains, and a session cookie expires at -1.
    const host = domain.replace(/^\./, '')
    const scope = { ...(host !== domain && { domain: host }) }
    const lifetime = { ...(expires >= 0 && { expires: new Date(expires * 1000) }) }
    const cookie = new Cookie({ ...attributes, key: name, ...scope, ...lifetime })
    // Set with a URL of the site, so that the jar applies its rules to the cookie.
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

async function sendHop(guard: Guard, send: Sender, hop: Hop): Promise<RawResponse> {
  try {
    const response = await sendWithRetries(send, hop)
    // The egress proxy strips this header from responses of sites; without it, a site could send it.
    const rejection = hop.isThroughEgress ? response.headers[rejectionHeader] : undefined
    if (rejection) {
      await response.drop()
      await assertTargetAllowed(guard, hop.url)
      const message =
        'The site could not be reached through the proxy. If the proxy rejects the credentials, the log says so.'
      throw new AppError('SCRAPE_SITE_ERROR', { phase: 'proxy' }, { message })
    }
    return response
  } catch (thrown) {
    if (isFailedTunnel(thrown)) await assertTargetAllowed(guard, hop.url)
    throw toAppError(thrown, 'connect', hop.signal)
  }
}

/** A site may close a connection at the moment it is reused. Browsers repeat the request too. */
async function sendWithRetries(send: Sender, { url, headers, signal }: Hop): Promise<RawResponse> {
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
  // Only a reused connection counts as dead: if a new connection ends without a response, the site failed.
  return thrown instanceof errors.SocketError && (thrown.socket?.bytesRead ?? 0) > 0
}

/** The egress proxy rejected the target or could not reach it. The guard throws if it rejects the target. */
const assertTargetAllowed = (guard: Guard, url: URL) => guard.resolve(url.hostname, portOf(url))

async function readResponse(
  response: RawResponse,
  url: URL,
  options: Pick<HttpRequest, 'bound' | 'permit'> & { signal: AbortSignal },
): Promise<HttpResponse> {
  const { status, headers } = response
  const limits: BodyLimits = { ...options.bound(headers), permit: options.permit, signal: options.signal }
  try {
    const body = await response.read(limits)
    if (body.isDecoded) return { url, status, headers, bytes: body.bytes, warnings: [] }
    const { bytes, warning } = await decodeBody(body.bytes, headers['content-encoding'], limits)
    return { url, status, headers, bytes, warnings: warning ? [warning] : [] }
  } catch (thrown) {
    throw toAppError(thrown, 'read', undefined)
  }
}

async function buildHeaders(
  request: HttpRequest,
  { url, from }: { url: URL; from: string | undefined },
  cookies: CookieJar | undefined,
): Promise<Record<string, string>> {
  const cookieHeader = await cookies?.getCookieString(url.href)
  // Browsers send client hints and fetch metadata only over secure connections.
  const { protocol, hostname } = url
  const isTrustworthy = protocol === 'https:' || hostname === 'localhost' || hostname.startsWith('127.')
  const ownHeaders = isTrustworthy ? request.headers : omitHeaders(request.headers, isSecHeader)
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

function getRedirectTarget(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const next = URL.parse(location, from.href)
  if (!next || (next.protocol !== 'http:' && next.protocol !== 'https:')) {
    const message =
      'The URL redirects to a URL that is neither http nor https, so the service does not follow it.'
    throw new AppError('TARGET_FORBIDDEN', { phase: 'redirect' }, { message })
  }
  // By the fetch standard, a redirect target without a fragment gets the fragment of the redirecting URL.
  if (next.hash === '') next.hash = from.hash
  return next
}

function toAppError(thrown: unknown, phase: string, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof AppError || signal?.aborted) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return thrown
  const { reason, description } = toNetworkError(thrown)
  const detail = { phase, cause: reason }
  if (reason === 'TLS') return new AppError('SCRAPE_SSL_ERROR', detail, { cause: thrown })
  return new AppError('SCRAPE_SITE_ERROR', detail, { message: `The site ${description}.`, cause: thrown })
}

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
