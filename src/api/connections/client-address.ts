import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AddressRule } from '../../platform/address-rule.ts'
import { AppError } from '../../platform/errors.ts'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/** Only a trusted proxy may name the client: the right-most address that is not a trusted proxy. */
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

function peerAddress({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string {
  return plainAddress(remoteAddress)
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** If the headers disagree, one of them comes unchanged from the client, so the proxy is counted. */
function forwardedClient(
  headers: IncomingHttpHeaders,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  const hops = [headers['x-forwarded-for'], headers.forwarded]
    .map((header) => [header].flat().join(','))
    .map((header, index) => (index === 0 ? header.split(',') : header.split(',').map(forOfElement)))
  const clients = hops.map((list) => findLastUntrusted(list, peer, isTrusted))
  const [first, second] = clients
  if (headers.forwarded === undefined) return first ?? peer
  if (headers['x-forwarded-for'] === undefined) return second ?? peer
  return first !== undefined && first === second ? first : peer
}

function findLastUntrusted(hops: string[], peer: string, isTrusted: (address: string) => boolean): string {
  let last = peer
  for (const hop of hops.reverse()) {
    const address = addressOfHop(hop)
    // A word such as "unknown" ends the chain: the hop that wrote it is the last known one.
    if (address === undefined) return last
    last = address
    if (!isTrusted(address)) return address
  }
  return last
}

/** `for="[2001:db8::1]:4711";proto=https` → `[2001:db8::1]:4711`. */
const forOfElement = (element: string): string => /(?:^|;)\s*for\s*=\s*"?([^";]*)/i.exec(element)?.[1] ?? ''

function addressOfHop(text: string): string | undefined {
  const hop = text.trim()
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? (/^[\d.]+:\d+$/.test(hop) ? hop.split(':')[0] : hop)
  return bare !== undefined && isIP(bare) !== 0 ? plainAddress(bare) : undefined
}

function plainAddress(address: string): string {
  return /^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address
}

/** For IPv6 the /64 network: one client usually has all its 2^64 addresses. */
function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const [headGroups = '', tailGroups] = (address.split('%')[0] ?? '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const groups = [...headGroups]
  if (tailGroups !== undefined) {
    const tailLength = tailGroups.length + (tailGroups.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array<string>(Math.max(0, 8 - headGroups.length - tailLength)).fill('0'), ...tailGroups)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** With AUTH=off, pages of other sites could call: a browser reaches loopback, also by a foreign name. */
export function createOwnOriginCheck(publicUrl: () => string): (headers: IncomingHttpHeaders) => void {
  const isOwn = createOwnHostCheck(publicUrl)
  return (headers) => {
    const { origin } = headers
    const isSameSite = origin === undefined || isOwn(URL.parse(origin)?.host)
    if (!isOwn(headers.host) || !isSameSite) throw new AppError('ORIGIN_FORBIDDEN')
  }
}

export function createOwnHostCheck(publicUrl: () => string): (host: string | undefined) => boolean {
  return (host) =>
    host !== undefined &&
    (host === new URL(publicUrl()).host || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host))
}

/** A request that a proxy forwarded is never local, whatever address it names. */
export function isLocal(request: FastifyRequest): boolean {
  const peer = peerAddress(request.socket)
  const isForwarded = forwardingHeaders.some((name) => request.headers[name] !== undefined)
  return (peer === '::1' || peer.startsWith('127.')) && !isForwarded
}

/** Pages of any site may call with a key; they see only the headers listed here. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, retry-after, allow, content-disposition, www-authenticate, mcp-session-id',
}
