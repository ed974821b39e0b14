import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { isIPv4, type Socket } from 'node:net'
import { unescape as decode } from 'node:querystring'
import { AppError } from '../../../platform/errors.ts'
import type { Guard } from '../guard.ts'
import { groupsOf } from '../own-endpoints.ts'
import { type Dialer, type DialerDeps, dial, orDestroy } from './dial.ts'
import { badCredentials } from './refusal.ts'
import { authorityOf, type Target } from './target.ts'

/** The dialer through a proxy of the operator: `http://user:password@host:port` or the same with `socks5`. */
export function upstreamDialer(upstream: URL, deps: DialerDeps): Dialer {
  const { isSocks, proxy, credentials } = readUpstream(upstream)
  const pair = credentials && Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
  const proxyHeaders = pair === undefined ? [] : ['Proxy-Authorization', `Basic ${pair}`]
  const plain = async (target: Target, signal: AbortSignal) => {
    await judge(target, deps.guard)
    return dial(proxy, deps, signal)
  }
  const tunnel = async (target: Target, signal: AbortSignal) => {
    const socket = await plain(target, signal)
    const step = (within: AbortSignal) =>
      isSocks
        ? socksConnect(socket, { target, credentials }, within)
        : httpConnect(socket, { authority: authorityOf(target), proxyHeaders }, within)
    await orDestroy(socket, step, { most: deps.limits.greeting, signal })
    return socket
  }
  // Many HTTP proxies tunnel only to TLS ports, so plain requests are forwarded as plain requests.
  return isSocks ? { tunnel, plain: tunnel } : { tunnel, plain, proxyHeaders }
}

function readUpstream(upstream: URL) {
  const isSocks = upstream.protocol === 'socks5:' || upstream.protocol === 'socks5h:'
  if ((!isSocks && upstream.protocol !== 'http:') || upstream.hostname === '') {
    const message = 'The upstream proxy must be an http:// or socks5:// address.'
    throw new AppError('OPTION_NOT_AVAILABLE', { phase: 'proxy' }, { message })
  }
  const host = upstream.hostname.replace(/^\[|\]$/g, '')
  const port = Number(upstream.port || (isSocks ? 1080 : 80))
  // A password with a bare percent sign is taken literally; the URL decoder would throw.
  const [user, password] = [decode(upstream.username), decode(upstream.password)]
  return { isSocks, proxy: { host, port }, credentials: user === '' ? undefined : { user, password } }
}

/**
 * The proxy resolves names itself, in a network that may know other names than this one. So a name that does not
 * resolve here may pass, unless it is of a kind that only has a meaning inside a network. A name that does resolve
 * here is checked by its addresses, yet the proxy may find another address: the operator of the proxy must restrict
 * the network behind it.
 */
async function judge({ host, port }: Target, guard: Guard): Promise<void> {
  try {
    await guard.resolve(host, port)
  } catch (thrown) {
    const isUnknown = thrown instanceof AppError && thrown.code === 'SCRAPE_DNS_RESOLUTION_ERROR'
    // Without an address, it only passes if a rule names the host.
    if (!isUnknown || (isLocalName(host) && !guard.allows('', host, port))) throw thrown
  }
}

function isLocalName(host: string): boolean {
  return /^[^.]*$|\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/i.test(
    host,
  )
}

async function httpConnect(
  socket: Socket,
  { authority, proxyHeaders }: { authority: string; proxyHeaders: string[] },
  signal: AbortSignal,
): Promise<void> {
  const headers = ['Host', authority, 'Connection', 'keep-alive', ...proxyHeaders]
  const request = send({ method: 'CONNECT', path: authority, headers, createConnection: () => socket })
  request.on('error', () => {})
  request.end()
  // The event has these three, says the documentation of node:http.
  const [answer, , head] = (await once(request, 'connect', { signal })) as [IncomingMessage, Socket, Buffer]
  if (answer.statusCode === 407) throw badCredentials()
  if (answer.statusCode !== 200) throw new Error(`The upstream proxy answered ${answer.statusCode}.`)
  if (head.length > 0) socket.unshift(head)
}

interface Credentials {
  user: string
  password: string
}

/** Asks a SOCKS5 proxy (RFC 1928, passwords RFC 1929) to connect this socket with the target. */
async function socksConnect(
  socket: Socket,
  { target, credentials }: { target: Target; credentials: Credentials | undefined },
  signal: AbortSignal,
): Promise<void> {
  const methods = credentials ? [withoutLogin, withPassword] : [withoutLogin]
  socket.write(Buffer.from([version, methods.length, ...methods]))
  const method = (await take(socket, 2, signal))[1]
  if (method === undefined || !methods.includes(method)) throw badCredentials()
  if (method === withPassword && credentials) await logIn(socket, credentials, signal)
  const port = [target.port >> 8, target.port & 0xff]
  socket.write(Buffer.from([version, 1, 0, ...addressOf(target.host), ...port]))
  const [, status, , kind] = await take(socket, 4, signal)
  if (status !== 0) throw failed(`answered ${status}`)
  // The bound address of the proxy is not needed, but precedes the first byte of the target.
  const named = kind === kinds.name ? ((await take(socket, 1, signal))[0] ?? 0) : 0
  await take(socket, (kind === kinds.name ? named : kind === kinds.ipv6 ? 16 : 4) + 2, signal)
}

const version = 5
const withoutLogin = 0
const withPassword = 2
const kinds = { ipv4: 1, name: 3, ipv6: 4 }

async function logIn(socket: Socket, { user, password }: Credentials, signal: AbortSignal): Promise<void> {
  socket.write(Buffer.from([1, ...sized(user), ...sized(password)]))
  if ((await take(socket, 2, signal))[1] !== 0) throw badCredentials()
}

function addressOf(host: string): number[] {
  if (isIPv4(host)) return [kinds.ipv4, ...host.split('.').map(Number)]
  const groups = groupsOf(host)
  return groups
    ? [kinds.ipv6, ...groups.flatMap((group) => [group >> 8, group & 0xff])]
    : [kinds.name, ...sized(host)]
}

function sized(text: string): number[] {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw failed('takes no names longer than 255 bytes')
  return [bytes.length, ...bytes]
}

/** Reads exactly this many bytes and leaves the rest for the next reader of the socket. */
async function take(socket: Socket, size: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(size)
    if (bytes?.length === size) return bytes
    if (bytes || socket.readableEnded || socket.destroyed) throw failed('ended the connection')
    await once(socket, 'readable', { signal })
  }
}

function failed(what: string): Error {
  return new Error(`The upstream proxy ${what}.`)
}
