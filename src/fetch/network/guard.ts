import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type Socket } from 'node:net'
import type { AddressRule } from '../../platform/address-rule.ts'
import { AppError } from '../../platform/errors.ts'
import { embeddedIpv4, groupsOf, type OwnEndpoints } from './own-endpoints.ts'

/** Which addresses may be contacted. */
export interface Guard {
  /** Resolves a host and returns its addresses if all of them are allowed; otherwise throws TARGET_FORBIDDEN. */
  resolve(hostname: string, port: number): Promise<string[]>
  /** Whether the service may connect to this address for that host and port. */
  allows(address: string, hostname: string, port: number): boolean
}

/** Targets that are refused although they are public or allowed. */
export interface Refusals {
  denied?: AddressRule[]
  own?: OwnEndpoints
}

export function createGuard(
  allowed: AddressRule[],
  resolveName: ResolveName = createResolver([]),
  { denied = [], own }: Refusals = {},
): Guard {
  const openings = allowed.map(ruleMatcher)
  const denials = denied.map(ruleMatcher)
  const isDenied = (address: string, hostname: string, port: number) =>
    own?.refuses(address, hostname, port) ||
    formsOf(address).some((form) => denials.some((matches) => matches(form, hostname, port)))
  const allows = (address: string, hostname: string, port: number) =>
    !isDenied(address, hostname, port) &&
    (isPublic(address) || openings.some((matches) => matches(address, hostname, port)))
  return {
    allows,
    async resolve(hostname, port) {
      await own?.refresh(port)
      const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      // By its name alone: an upstream proxy may resolve a name that does not resolve here.
      if (badPorts.has(port) || isDenied('', name, port)) throw forbidden(hostname)
      const addresses = isIP(name) ? [name] : await resolveName(name)
      // One private address among public ones is enough to refuse: an attacker can influence which one is used.
      if (addresses.length > 0 && addresses.every((address) => allows(address, name, port))) return addresses
      throw forbidden(hostname)
    },
  }
}

/** Connects to the addresses that the guard has checked, never to the name: a second lookup could return another address. */
export async function connectChecked(
  guard: Guard,
  { host, port }: { host: string; port: number },
  dial: (address: string) => Promise<Socket>,
): Promise<Socket> {
  let failure: unknown
  for (const address of await guard.resolve(host, port)) {
    try {
      const socket = await dial(address)
      // A second check: whatever happened below, data is only sent to a checked address.
      if (guard.allows(socket.remoteAddress ?? '', host, port)) return socket
      socket.destroy()
      throw forbidden(host)
    } catch (thrown) {
      failure = thrown
    }
  }
  throw failure
}

const forbidden = (host: string) => new AppError('TARGET_FORBIDDEN', { host, phase: 'connect' })

/** The port of a URL, also where its scheme says it. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/**
 * IPv4 ranges outside the public internet: this host, private and shared networks, link-local (including the metadata services
 * of clouds), documentation, benchmarking, 6to4 relays, multicast and reserved. Some clouds have services for their machines
 * at addresses in public ranges: Azure (168.63.129.16), IBM Cloud (161.26.0.0/16, 166.8.0.0/14), Equinix Metal (192.80.8.124).
 */
const reservedFour = blockList(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 161.26.0.0/16 166.8.0.0/14 168.63.129.16/32 169.254.0.0/16
  172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.80.8.124/32 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
)

/**
 * One eighth of IPv6 is allocated to the internet, and nothing outside it is public: compatible and
 * translated addresses, the NAT64 of a network, unique local, link-local, multicast.
 */
const handedOut = blockList('ipv6', '2000::/3')
/** Ranges within it that are not destinations: protocols such as Teredo, documentation, 6to4, the 6bone. */
const reservedSix = blockList('ipv6', '2001::/23 2001:db8::/32 2002::/16 3ffe::/16 3fff::/20')

function blockList(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !reservedFour.check(address, 'ipv4')
  const groups = groupsOf(address)
  if (!groups) return false
  const inside = embeddedIpv4(groups)
  if (inside !== undefined && reservedFour.check(inside, 'ipv4')) return false
  const isCarrier = inside !== undefined && (groups[0] === 0 || groups[0] === 0x64)
  return isCarrier || (handedOut.check(address, 'ipv6') && !reservedSix.check(address, 'ipv6'))
}

/** The address itself, and the IPv4 address that it reaches. */
function formsOf(address: string): string[] {
  const groups = groupsOf(address)
  const inside = groups && embeddedIpv4(groups)
  return inside === undefined ? [address] : [address, inside]
}

function ruleMatcher(rule: AddressRule): Guard['allows'] {
  const isPort = (port: number) => rule.port === undefined || rule.port === port
  if (rule.form === 'name') return (_, hostname, port) => hostname.toLowerCase() === rule.name && isPort(port)
  const network = new BlockList()
  network.addSubnet(rule.address, rule.prefix, rule.family)
  return (address, _, port) => {
    const version = isIP(address)
    return version !== 0 && isPort(port) && network.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** Ports that browsers block for HTTP: mail, remote shells, directory services and the like. */
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Name → addresses, in order of preference. */
export type ResolveName = (name: string) => Promise<string[]>

/** Uses these DNS servers, or the resolver of this machine if none is given. */
export function createResolver(servers: string[]): ResolveName {
  if (servers.length === 0) return systemResolve
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  resolver.setServers(servers)
  return (name) => serverResolve(resolver, name)
}

async function systemResolve(name: string): Promise<string[]> {
  try {
    const found = await lookup(name, { all: true, order: 'verbatim' })
    return found.map(({ address }) => address)
  } catch (cause) {
    throw unresolved(name, cause)
  }
}

async function serverResolve(resolver: Resolver, name: string): Promise<string[]> {
  // By the standard this name is never looked up, and always means this machine.
  if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  if (addresses.length > 0) return addresses
  throw unresolved(name, four.status === 'rejected' ? four.reason : undefined)
}

function unresolved(name: string, cause: unknown): AppError {
  return new AppError('SCRAPE_DNS_RESOLUTION_ERROR', { host: name, phase: 'resolve' }, { cause })
}
