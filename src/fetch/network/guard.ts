import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type Socket } from 'node:net'
import type { AddressRule } from '../../platform/address-rule.ts'
import { AppError } from '../../platform/errors.ts'
import { embeddedIpv4, groupsOf, type OwnEndpoints } from './own-endpoints.ts'

export interface Guard {
  resolve(hostname: string, port: number): Promise<string[]>
  allows(address: string, hostname: string, port: number): boolean
}

export function createGuard(
  allowed: AddressRule[],
  resolveName: ResolveName = createResolver([]),
  { denied = [], own }: { denied?: AddressRule[]; own?: OwnEndpoints } = {},
): Guard {
  const allowedMatchers = allowed.map(createRuleMatcher)
  const deniedMatchers = denied.map(createRuleMatcher)
  const isDenied = (address: string, hostname: string, port: number) =>
    own?.rejects(address, hostname, port) ||
    getAddressForms(address).some((form) => deniedMatchers.some((matches) => matches(form, hostname, port)))
  const allows = (address: string, hostname: string, port: number) =>
    !isDenied(address, hostname, port) &&
    (isPublic(address) || allowedMatchers.some((matches) => matches(address, hostname, port)))
  return {
    allows,
    async resolve(hostname, port) {
      await own?.refresh(port)
      const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
      // The name is also checked before its lookup: an upstream proxy may resolve a name that does not resolve here.
      if (badPorts.has(port) || isDenied('', name, port)) throw forbiddenError(hostname)
      const addresses = isIP(name) ? [name] : await resolveName(name)
      // One private address among public ones is enough to reject: an attacker can influence which address is used.
      if (addresses.length > 0 && addresses.every((address) => allows(address, name, port))) return addresses
      throw forbiddenError(hostname)
    },
  }
}

/** Connects to the checked addresses, never to the name: a second lookup could return another address. */
export async function connectChecked(
  guard: Guard,
  { host, port }: { host: string; port: number },
  dial: (address: string) => Promise<Socket>,
): Promise<Socket> {
  let failure: unknown
  for (const address of await guard.resolve(host, port)) {
    try {
      const socket = await dial(address)
      // The address is checked again after connecting, so that data is only sent to a checked address.
      if (guard.allows(socket.remoteAddress ?? '', host, port)) return socket
      socket.destroy()
      throw forbiddenError(host)
    } catch (thrown) {
      failure = thrown
    }
  }
  throw failure
}

const forbiddenError = (host: string) => new AppError('TARGET_FORBIDDEN', { host, phase: 'connect' })

export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/**
 * Not public, or services of clouds at public addresses: Azure (168.63.129.16), IBM Cloud (161.26.0.0/16,
 * 166.8.0.0/14), Equinix Metal (192.80.8.124).
 */
const reservedIpv4 = createBlockList(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 161.26.0.0/16 166.8.0.0/14 168.63.129.16/32 169.254.0.0/16
  172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.80.8.124/32 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
)

/** Allocated to the internet, one eighth of all. Addresses outside are not public. */
const allocatedIpv6 = createBlockList('ipv6', '2000::/3')
/** Within `allocatedIpv6`: protocols such as Teredo, documentation, 6to4, the 6bone. */
const reservedIpv6 = createBlockList('ipv6', '2001::/23 2001:db8::/32 2002::/16 3ffe::/16 3fff::/20')

function createBlockList(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !reservedIpv4.check(address, 'ipv4')
  const groups = groupsOf(address)
  if (!groups) return false
  const embedded = embeddedIpv4(groups)
  if (embedded !== undefined && reservedIpv4.check(embedded, 'ipv4')) return false
  const isMappedOrNat64 = embedded !== undefined && (groups[0] === 0 || groups[0] === 0x64)
  return isMappedOrNat64 || (allocatedIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6'))
}

function getAddressForms(address: string): string[] {
  const groups = groupsOf(address)
  const embedded = groups && embeddedIpv4(groups)
  return embedded === undefined ? [address] : [address, embedded]
}

function createRuleMatcher(rule: AddressRule): Guard['allows'] {
  const isPort = (port: number) => rule.port === undefined || rule.port === port
  if (rule.form === 'name') return (_, hostname, port) => hostname.toLowerCase() === rule.name && isPort(port)
  const network = new BlockList()
  network.addSubnet(rule.address, rule.prefix, rule.family)
  return (address, _, port) => {
    const version = isIP(address)
    return version !== 0 && isPort(port) && network.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** Browsers block these for HTTP: mail, remote shells, directory services and the like. */
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

export type ResolveName = (name: string) => Promise<string[]>

export function createResolver(servers: string[]): ResolveName {
  if (servers.length === 0) return systemResolve
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  resolver.setServers(servers)
  return async (name) => {
    // By the standard, localhost is never looked up, and always means this machine.
    if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [ipv4, ipv6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
    if (addresses.length > 0) return addresses
    throw resolutionError(name, ipv4.status === 'rejected' ? ipv4.reason : undefined)
  }
}

async function systemResolve(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' }).catch((cause) => {
    throw resolutionError(name, cause)
  })
  return found.map(({ address }) => address)
}

function resolutionError(name: string, cause: unknown): AppError {
  return new AppError('SCRAPE_DNS_RESOLUTION_ERROR', { host: name, phase: 'resolve' }, { cause })
}
