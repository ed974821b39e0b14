import { createHttpClient } from '../fetch/network/client.ts'
import { createEgress } from '../fetch/network/egress/egress.ts'
import { createGuard, createResolver, isPublic } from '../fetch/network/guard.ts'
import { createOwnEndpoints } from '../fetch/network/own-endpoints.ts'
import { createPeerClient } from '../fetch/network/peer.ts'
import { createPoster } from '../fetch/network/post.ts'
import type { Log } from '../platform/log.ts'
import { listConfiguredEndpoints } from './own-endpoints.ts'
import type { Settings } from './settings.ts'

export function openNetwork(settings: Settings, log: Log) {
  const own = createOwnEndpoints(listConfiguredEndpoints(settings), isPublic, createResolver([]))
  const denyRules = { denied: settings.denyNetwork, own }
  const guard = createGuard(settings.allowPrivateNetwork, createResolver(settings.dnsServers), denyRules)
  const egress = createEgress({ guard, log })
  const client = createHttpClient(guard, egress)
  return { guard, own, egress, client, peers: createPeerClient(), poster: createPoster(guard) }
}

export type Network = ReturnType<typeof openNetwork>

/**
 * Returns the URLs at which callers and other processes reach this process. The port may be unknown until it
 * listens.
 */
export function createServiceAddress(
  http: Pick<Settings['http'], 'host' | 'port' | 'publicUrl' | 'peerUrl'>,
) {
  let { port } = http
  const ownUrl = () => `http://${toUrlHost(http.host)}:${port}`
  return {
    publicUrl: () => http.publicUrl ?? ownUrl(),
    peerUrl: () => http.peerUrl ?? ownUrl(),
    getListener: () => ({ host: http.host, port, peerUrl: http.peerUrl ?? ownUrl() }),
    setPort(actualPort: number) {
      port = actualPort
    },
  }
}

export type ServiceAddress = ReturnType<typeof createServiceAddress>

/** Returns the host for a URL: callers cannot use an address that means "all interfaces". */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
