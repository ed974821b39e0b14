import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'
import {
  type Endpoint,
  type Listener,
  localAddresses,
  type OwnEndpoints,
} from '../fetch/network/own-endpoints.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Store } from '../store/schema.ts'
import { isLoopback, type Settings } from './settings.ts'

export function listConfiguredEndpoints(settings: Settings): Endpoint[] {
  const { store, model, search, proxies, tracing } = settings
  const urls = [
    databaseServerUrl(store.databaseUrl),
    store.bucket?.endpoint,
    model?.url,
    tracing.endpoint,
    ...search.urls.values(),
    ...Object.values(proxies),
  ]
  return urls.flatMap((text) => {
    const url = URL.parse(text?.replaceAll(/[{}]/g, '') ?? '')
    if (!url || url.hostname === '' || url.protocol === 'script:') return []
    const port = Number(url.port || defaultPorts[url.protocol])
    return port > 0 ? [{ host: url.hostname, port }] : []
  })
}

/** Query parameters override the authority, as in the driver. Undefined for a socket file. */
function databaseServerUrl(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? '')
  if (!url) return undefined
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost')
  const port = url.searchParams.get('port') ?? (url.port || defaultPorts['postgres:'])
  return host.startsWith('/')
    ? undefined
    : `postgres://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}

const defaultPorts: Record<string, number> = {
  ...{ 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 },
  ...{ 'socks5:': 1080, 'socks5h:': 1080 },
}

const topic = 'listeners'
/** Interval of the announcements. They are repeated, because a message may be lost. */
const announceIntervalMs = 10_000

const announcement = z.object({
  processId: z.string(),
  machine: z.string(),
  host: z.string(),
  port: z.int(),
  peerUrl: z.string(),
  addresses: z.array(z.string()),
})
type Announcement = z.output<typeof announcement>

export async function shareListener(
  { store, own, log }: { store: Pick<Store, 'publish' | 'subscribe'>; own: OwnEndpoints; log: Log },
  listening: { host: string; port: number; peerUrl: string },
): Promise<() => void> {
  const processId = newId()
  const createAnnouncement = (): Announcement => ({
    ...{ processId, machine: machineId(), ...listening },
    addresses: isWildcard(listening.host) ? localAddresses() : [listening.host],
  })
  const announce = () => {
    own.register(processId, toListener(createAnnouncement()))
    store.publish(topic, () => JSON.stringify(createAnnouncement()))
  }
  own.register(processId, toListener(createAnnouncement()))
  const unsubscribe = await store.subscribe(topic, (message) => {
    try {
      const received = announcement.parse(JSON.parse(message))
      // A new process may not have received the announcement of this one.
      if (own.register(received.processId, toListener(received)) && received.processId !== processId)
        announce()
    } catch (cause) {
      log.warn({ cause }, 'the listener of another process could not be read')
    }
  })
  announce()
  const timer = setInterval(announce, announceIntervalMs).unref()
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

function toListener({ machine, host, port, peerUrl, addresses }: Announcement): Listener {
  const isSameMachine = machine === machineId()
  const reachable = isSameMachine ? addresses : addresses.filter((address) => !isLoopbackHost(address))
  const peer = URL.parse(peerUrl)
  // The peer URL may reach the listener through another port.
  const isSamePort = peer !== null && Number(peer.port || defaultPorts[peer.protocol]) === port
  const peerHosts = isSamePort && (isSameMachine || !isLoopbackHost(peer.hostname)) ? [peer.hostname] : []
  const loopback = isSameMachine && host === 'localhost' ? ['127.0.0.1', '::1'] : []
  return {
    port,
    hosts: [...reachable, ...peerHosts, ...loopback],
    isOnAllInterfaces: isSameMachine && isWildcard(host),
  }
}

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

const isLoopbackHost = (host: string) => isLoopback(host) || host === '[::1]'

/** Returns an id that processes with the same loopback interface share. */
function machineId(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/net')}`
  } catch {
    return hostname()
  }
}
