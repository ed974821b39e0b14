import { createHttpClient } from '../fetch/network/client.ts'
import { createEgress } from '../fetch/network/egress/egress.ts'
import { createGuard, createResolver, isPublic } from '../fetch/network/guard.ts'
import { createOwnEndpoints } from '../fetch/network/own-endpoints.ts'
import { createPeerClient } from '../fetch/network/peer.ts'
import { createPoster } from '../fetch/network/post.ts'
import type { Log } from '../platform/log.ts'
import { configuredEndpoints } from './own-endpoints.ts'
import type { Settings } from './settings.ts'

/** Outgoing connections: to sites, to webhook receivers, to other processes of the installation. */
export function openNetwork(settings: Settings, log: Log) {
  const own = createOwnEndpoints(configuredEndpoints(settings), isPublic)
  const refusals = { denied: settings.denyNetwork, own }
  const guard = createGuard(settings.allowPrivateNetwork, createResolver(settings.dnsServers), refusals)
  const egress = createEgress({ guard, log })
  const client = createHttpClient(guard, egress)
  return { guard, own, egress, client, peers: createPeerClient(), poster: createPoster(guard) }
}

export type Network = ReturnType<typeof openNetwork>

/** The URLs at which callers and other processes reach this one; the port may be known only once it listens. */
export function serviceAddress(http: Pick<Settings['http'], 'host' | 'port' | 'publicUrl' | 'peerUrl'>) {
  let { port } = http
  const ownUrl = () => `http://${hostText(http.host)}:${port}`
  return {
    publicUrl: () => http.publicUrl ?? ownUrl(),
    peerUrl: () => http.peerUrl ?? ownUrl(),
    /** Where this process listens, and where its peers reach it. */
    listening: () => ({ host: http.host, port, peerUrl: http.peerUrl ?? ownUrl() }),
    listensOn(taken: number) {
      port = taken
    },
  }
}

export type ServiceAddress = ReturnType<typeof serviceAddress>

/** The host for a URL: callers cannot use an address that means "all interfaces". */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
