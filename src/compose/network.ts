import type { Log } from '../base/log.ts'
import { createHttpClient } from '../network/client.ts'
import { createEgress } from '../network/egress/egress.ts'
import { createGuard, isPublic } from '../network/guard.ts'
import { ownEndpoints } from '../network/own-endpoints.ts'
import { peerClient } from '../network/peer.ts'
import { createPoster } from '../network/post.ts'
import { resolverFor } from '../network/resolve-name.ts'
import type { Settings } from '../settings.ts'
import { configuredEndpoints } from './own-endpoints.ts'

/** Outgoing connections: to sites, to webhook receivers, to other processes of the installation. */
export function openNetwork(settings: Settings, log: Log) {
  const own = ownEndpoints(configuredEndpoints(settings), isPublic)
  const refusals = { denied: settings.denyNetwork, own }
  const guard = createGuard(settings.allowPrivateNetwork, resolverFor(settings.dnsServers), refusals)
  const egress = createEgress({ guard, log })
  const client = createHttpClient(guard, egress)
  return { guard, own, egress, client, peers: peerClient(), poster: createPoster(guard) }
}

export type Network = ReturnType<typeof openNetwork>
