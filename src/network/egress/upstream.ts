import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { unescape as decode } from 'node:querystring'
import { AppError } from '../../base/errors.ts'
import type { Guard } from '../guard.ts'
import { type Dialer, type DialerNeeds, dial, orDestroy } from './dial.ts'
import { badCredentials } from './refusal.ts'
import { type Credentials, socksConnect } from './socks.ts'
import { authorityOf, type Target } from './target.ts'

/** The dialer through a proxy of the operator: `http://user:password@host:port` or the same with `socks5`. */
export function upstreamDialer(upstream: URL, needs: DialerNeeds): Dialer {
  const { isSocks, proxy, credentials } = readUpstream(upstream)
  const pair = credentials && Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
  const proxyHeaders = pair === undefined ? [] : ['Proxy-Authorization', `Basic ${pair}`]
  const plain = async (target: Target, signal: AbortSignal) => {
    await judge(target, needs.guard)
    return dial(proxy, needs, signal)
  }
  const tunnel = async (target: Target, signal: AbortSignal) => {
    const socket = await plain(target, signal)
    const step = (within: AbortSignal) =>
      isSocks
        ? socksConnect(socket, { target, credentials }, within)
        : httpConnect(socket, { authority: authorityOf(target), proxyHeaders }, within)
    await orDestroy(socket, step, { most: needs.limits.greeting, signal })
    return socket
  }
  // Many HTTP proxies tunnel only to TLS ports, so plain requests are forwarded as plain requests.
  return isSocks ? { tunnel, plain: tunnel } : { tunnel, plain, proxyHeaders }
}

function readUpstream(upstream: URL): {
  isSocks: boolean
  proxy: Target
  credentials: Credentials | undefined
} {
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
