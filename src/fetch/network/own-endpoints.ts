import { isIP, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

export interface Endpoint {
  host: string
  port: number
}

export interface Listener {
  port: number
  hosts: string[]
  isOnAllInterfaces: boolean
}

/** Address of all egress proxies. The guard rejects all its ports, so no process registers its proxies. */
export const egressAddress = '127.87.78.1'

const lookupIntervalMs = 30_000
/** A process that is not registered again counts as ended, so that callers can reach its port again. */
const listenerTimeoutMs = 10 * 60_000
/** Services share their public addresses on these ports with other sites (content delivery networks). */
const sharedPorts = new Set([80, 443])

/** Endpoints of the installation itself, which no caller may reach through the service. */
export function createOwnEndpoints(
  configured: Endpoint[],
  isPublic: (address: string) => boolean,
  resolveName: (name: string) => Promise<string[]>,
  now: () => number = () => performance.now(),
) {
  const services = configured.map(createService)
  const listeners = new Map<string, Listener & { registeredAt: number }>()

  const isService = (address: string, name: string, port: number) =>
    services.some(
      (service) =>
        service.port === port &&
        (service.name === name ||
          (service.addresses.has(addressKey(address)) && (!isPublic(address) || !sharedPorts.has(port))) ||
          (isLocal(address) && [...service.addresses].some(isLocal))),
    )
  const isListener = (address: string, name: string, port: number) =>
    [...listeners.values()].some(
      (listener) =>
        listener.port === port &&
        (listener.hosts.some((host) => hostKey(host) === name || addressKey(host) === addressKey(address)) ||
          ((listener.isOnAllInterfaces || isUnspecified(address)) && isLocal(address))),
    )

  return {
    rejects(address: string, hostname: string, port: number): boolean {
      if (addressKey(address) === egressAddress) return true
      const name = hostKey(hostname)
      return isService(address, name, port) || isListener(address, name, port)
    },
    async refresh(port: number): Promise<void> {
      const due = services.filter(
        (service) => service.port === port && now() - service.lookedUpAt > lookupIntervalMs,
      )
      await Promise.all(due.map(resolveServiceOnce))
    },
    /** Returns false if the process was already registered. Without another call, the listener is dropped. */
    register(processId: string, listener: Listener): boolean {
      for (const [id, { registeredAt }] of listeners)
        if (now() - registeredAt > listenerTimeoutMs) listeners.delete(id)
      const isNew = !listeners.has(processId)
      listeners.set(processId, { ...listener, registeredAt: now() })
      return isNew
    },
  }

  /** Shared, because with a slow DNS server many lookups would block all others of the process. */
  function resolveServiceOnce(service: Service): Promise<void> {
    service.lookup ??= resolveService(service).finally(() => {
      service.lookup = undefined
    })
    return service.lookup
  }

  async function resolveService(service: Service): Promise<void> {
    // A name that cannot be resolved now keeps its last addresses, and is still rejected by its name.
    const found = await resolveName(service.name).catch(() => undefined)
    if (found) service.addresses = new Set(found.map(addressKey))
    service.lookedUpAt = now()
  }
}

export type OwnEndpoints = ReturnType<typeof createOwnEndpoints>

interface Service {
  port: number
  name: string
  addresses: Set<string>
  lookedUpAt: number
  lookup: Promise<void> | undefined
}

function createService({ host, port }: Endpoint): Service {
  const isAddress = isIP(withoutBrackets(host)) !== 0
  return {
    port,
    name: hostKey(host),
    addresses: new Set(isAddress ? [addressKey(withoutBrackets(host))] : []),
    lookedUpAt: isAddress ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    lookup: undefined,
  }
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

const hostKey = (host: string) => withoutBrackets(host).replace(/\.$/, '').toLowerCase()

function addressKey(address: string): string {
  const groups = groupsOf(address)
  if (!groups) return address
  return embeddedIpv4(groups) ?? groups.map((group) => group.toString(16)).join(':')
}

/** Zones are not supported: a link-local address is never public. */
export function groupsOf(address: string): number[] | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined
  const [before = '', after] = address.split('::')
  const [head, tail] = [readGroups(before), readGroups(after ?? '')]
  const missing = after === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

function readGroups(text: string): number[] {
  return text
    .split(':')
    .filter((part) => part !== '')
    .flatMap((part) => (isIPv4(part) ? toGroups(part) : [Number.parseInt(part, 16)]))
}

function toGroups(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** Mapped (`::ffff:a.b.c.d`), NAT64 (`64:ff9b::a.b.c.d`), and ISATAP, whose mark follows any prefix. */
export function embeddedIpv4(groups: number[]): string | undefined {
  const hasPrefix = (...prefix: number[]) => prefix.every((group, index) => groups[index] === group)
  const isMapped = hasPrefix(0, 0, 0, 0, 0, 0xffff)
  const isNat64 = hasPrefix(0x64, 0xff9b, 0, 0, 0, 0)
  const isIsatap = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200)
  if (!isMapped && !isNat64 && !isIsatap) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const unspecified = new Set(['0.0.0.0', addressKey('::')])

/** For an unspecified address, Linux connects to this machine. */
const isUnspecified = (address: string) => unspecified.has(addressKey(address))

function isLocal(address: string): boolean {
  const key = addressKey(address)
  if (isUnspecified(address) || key.startsWith('127.') || key === addressKey('::1')) return true
  return localAddresses().some((local) => addressKey(local) === key)
}

export function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))
}
