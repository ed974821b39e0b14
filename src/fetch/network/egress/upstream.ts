import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { isIPv4, type Socket } from 'node:net'
import { unescape as decode } from 'node:querystring'
import { AppError } from '../../../platform/errors.ts'
import type { Guard } from '../guard.ts'
import { groupsOf } from '../own-endpoints.ts'
import { completeOrDestroy, type Dialer, type DialerDeps, dial } from './dial.ts'
import { badCredentialsError } from './refusal.ts'
import { authorityOf, type Target } from './target.ts'

/** `http://user:password@host:port` or `socks5://…`. */
export function upstreamDialer(upstream: URL, deps: DialerDeps): Dialer {
  const { isSocks, proxy, user, password } = readUpstream(upstream)
  const credentials = user === '' ? undefined : { user, password }
  const basicCredentials = Buffer.from(`${user}:${password}`).toString('base64')
  const proxyHeaders = credentials ? ['Proxy-Authorization', `Basic ${basicCredentials}`] : []
  const plain = async (target: Target, signal: AbortSignal) => {
    await assertAllowed(target, deps.guard)
    return dial(proxy, deps, signal)
  }
  const tunnel = async (target: Target, signal: AbortSignal) => {
    const socket = await plain(target, signal)
    const step = (stepSignal: AbortSignal) =>
      isSocks
        ? socksConnect(socket, { target, credentials }, stepSignal)
        : httpConnect(socket, { authority: authorityOf(target), proxyHeaders }, stepSignal)
    await completeOrDestroy(socket, step, { maxMs: deps.limits.handshake, signal })
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
  return { isSocks, proxy: { host, port }, user, password }
}

/**
 * The proxy resolves names itself, so a name that does not resolve here may pass, unless it is local. Other names may
 * resolve differently there: the operator of the proxy must restrict the network behind it.
 */
async function assertAllowed({ host, port }: Target, guard: Guard): Promise<void> {
  try {
    await guard.resolve(host, port)
  } catch (thrown) {
    const isUnknown = thrown instanceof AppError && thrown.code === 'SCRAPE_DNS_RESOLUTION_ERROR'
    // Without an IP address, the name only passes if a rule contains it.
    if (!isUnknown || (isLocalName(host) && !guard.allows('', host, port))) throw thrown
  }
}

const isLocalName = (host: string) =>
  /^[^.]*$|\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/i.test(host)

async function httpConnect(
  socket: Socket,
  { authority, proxyHeaders }: { authority: string; proxyHeaders: string[] },
  signal: AbortSignal,
): Promise<void> {
  const headers = ['Host', authority, 'Connection', 'keep-alive', ...proxyHeaders]
  const request = send({ method: 'CONNECT', path: authority, headers, createConnection: () => socket })
  request.on('error', () => {})
  request.end()
  // The cast is safe: the `connect` event has these parameters.
  const [response, , head] = (await once(request, 'connect', { signal })) as [IncomingMessage, Socket, Buffer]
  if (response.statusCode === 407) throw badCredentialsError()
  if (response.statusCode !== 200) throw new Error(`The upstream proxy answered ${response.statusCode}.`)
  if (head.length > 0) socket.unshift(head)
}

type Credentials = Record<'user' | 'password', string>

/** SOCKS5 (RFC 1928, passwords RFC 1929). */
async function socksConnect(
  socket: Socket,
  { target, credentials }: { target: Target; credentials: Credentials | undefined },
  signal: AbortSignal,
): Promise<void> {
  const methods = credentials ? [noAuthMethod, passwordMethod] : [noAuthMethod]
  socket.write(Buffer.from([version, methods.length, ...methods]))
  const method = (await readExactly(socket, 2, signal))[1]
  if (method === undefined || !methods.includes(method)) throw badCredentialsError()
  if (method === passwordMethod && credentials) await logIn(socket, credentials, signal)
  const port = [target.port >> 8, target.port & 0xff]
  socket.write(Buffer.from([version, 1, 0, ...encodeAddress(target.host), ...port]))
  const [, status, , addressType] = await readExactly(socket, 4, signal)
  if (status !== 0) throw proxyError(`answered ${status}`)
  // The bound address of the proxy is not needed, but precedes the first byte of the target.
  let addressLength = addressType === addressTypes.ipv6 ? 16 : 4
  if (addressType === addressTypes.name) addressLength = (await readExactly(socket, 1, signal))[0] ?? 0
  await readExactly(socket, addressLength + 2, signal)
}

const version = 5
const noAuthMethod = 0
const passwordMethod = 2
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 }

async function logIn(socket: Socket, { user, password }: Credentials, signal: AbortSignal): Promise<void> {
  socket.write(Buffer.from([1, ...withLengthPrefix(user), ...withLengthPrefix(password)]))
  if ((await readExactly(socket, 2, signal))[1] !== 0) throw badCredentialsError()
}

function encodeAddress(host: string): number[] {
  if (isIPv4(host)) return [addressTypes.ipv4, ...host.split('.').map(Number)]
  const groups = groupsOf(host)
  return groups
    ? [addressTypes.ipv6, ...groups.flatMap((group) => [group >> 8, group & 0xff])]
    : [addressTypes.name, ...withLengthPrefix(host)]
}

function withLengthPrefix(text: string): number[] {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw proxyError('takes no names longer than 255 bytes')
  return [bytes.length, ...bytes]
}

async function readExactly(socket: Socket, size: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(size)
    if (bytes?.length === size) return bytes
    if (bytes || socket.readableEnded || socket.destroyed) throw proxyError('ended the connection')
    await once(socket, 'readable', { signal })
  }
}

const proxyError = (problem: string) => new Error(`The upstream proxy ${problem}.`)
