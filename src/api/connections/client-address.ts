import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AddressRule } from '../../platform/address-rule.ts'
import { AppError } from '../../platform/errors.ts'

/** Returns the address of the client that sent a request, as the key under which its connections and bytes are counted. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * Only a peer in `trustedProxies` may name the client: the right-most address of the header that is not a trusted proxy.
 * Everything to the left of it was written by the client and proves nothing.
 */
export function createClientAddress(trustedProxies: readonly AddressRule[]): ClientAddress {
  if (trustedProxies.length === 0) return ({ socket }) => addressKey(peerAddress(socket))
  const trusted = new BlockList()
  for (const rule of trustedProxies) {
    if (rule.form === 'network') trusted.addSubnet(rule.address, rule.prefix, rule.family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return ({ socket, headers }) => {
    const peer = peerAddress(socket)
    const client = isIP(peer) !== 0 && isTrusted(peer) ? forwardedClient(headers, peer, isTrusted) : peer
    return addressKey(client)
  }
}

/** Address of the other end of a connection, without the prefix of IPv4 addresses on an IPv6 socket. */
function peerAddress({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string {
  return plainAddress(remoteAddress)
}

/** True if a proxy says that it passes on the request of another machine. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined)
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/**
 * A proxy usually writes one of the two headers and passes the other one on as the client sent it. If both are present and
 * disagree, neither can be believed, and the request counts for the proxy.
 */
function forwardedClient(
  headers: IncomingHttpHeaders,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  const hops = [headers['x-forwarded-for'], headers.forwarded]
    .map((header) => [header].flat().join(','))
    .map((header, index) => (index === 0 ? header.split(',') : header.split(',').map(forOfElement)))
  const named = hops.map((list) => lastUntrusted(list, peer, isTrusted))
  const [first, second] = named
  if (headers.forwarded === undefined) return first ?? peer
  if (headers['x-forwarded-for'] === undefined) return second ?? peer
  return first !== undefined && first === second ? first : peer
}

function lastUntrusted(hops: string[], peer: string, isTrusted: (address: string) => boolean): string {
  let last = peer
  for (const hop of hops.reverse()) {
    const address = addressOfHop(hop)
    // A word such as "unknown" ends the chain: the hop that wrote it is the last one that is known.
    if (address === undefined) return last
    last = address
    if (!isTrusted(address)) return address
  }
  return last
}

/** `for="[2001:db8::1]:4711";proto=https` → `[2001:db8::1]:4711` */
function forOfElement(element: string): string {
  return /(?:^|;)\s*for\s*=\s*"?([^";]*)/i.exec(element)?.[1] ?? ''
}

/** An address with an optional port; undefined if the text is not an address. */
function addressOfHop(text: string): string | undefined {
  const hop = text.trim()
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? (/^[\d.]+:\d+$/.test(hop) ? hop.split(':')[0] : hop)
  return bare !== undefined && isIP(bare) !== 0 ? plainAddress(bare) : undefined
}

function plainAddress(address: string): string {
  return /^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address
}

/** One IPv6 client usually has a whole /64 network, and could else appear under 2^64 addresses. */
function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = (address.split('%')[0] ?? '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const groups = [...head]
  if (tail !== undefined) {
    const tailGroups = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array<string>(Math.max(0, 8 - head.length - tailGroups)).fill('0'), ...tail)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/**
 * With AUTH=off anything that reaches the port is believed, and a web page that someone has open can reach a
 * loopback port too, directly or by a name that resolves to it. So such a service answers only requests that were
 * addressed to this machine by its own name and did not come from another site.
 */
export function ownOriginOnly(publicUrl: () => string): (headers: IncomingHttpHeaders) => void {
  const isOwn = ownHost(publicUrl)
  return (headers) => {
    const { origin } = headers
    const isSameSite = origin === undefined || isOwn(URL.parse(origin)?.host)
    if (!isOwn(headers.host) || !isSameSite) throw new AppError('ORIGIN_FORBIDDEN')
  }
}

/** Whether a request names this machine: by PUBLIC_URL, as localhost, or by a loopback address. */
export function ownHost(publicUrl: () => string): (host: string | undefined) => boolean {
  return (host) =>
    host !== undefined &&
    (host === new URL(publicUrl()).host || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host))
}

/** True if the request comes from this machine itself. A request that a proxy passed on is never local, whatever it names. */
export function isLocal(request: FastifyRequest): boolean {
  const peer = peerAddress(request.socket)
  return (peer === '::1' || peer.startsWith('127.')) && !isForwarded(request.headers)
}

/**
 * Lets a page of any site call with a key and read the whole answer. A page sees only the headers that are named
 * here, and few that every browser shows anyway.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, retry-after, allow, content-disposition, www-authenticate, mcp-session-id',
}
