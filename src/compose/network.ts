import type { Log } from '../base/log.ts'
import { createHttpClient } from '../network/client.ts'
import { createEgress } from '../network/egress/egress.ts'
import { createGuard } from '../network/guard.ts'
import { peerClient } from '../network/peer.ts'
import { createPoster } from '../network/post.ts'
import { resolverFor } from '../network/resolve-name.ts'
import type { Settings } from '../settings.ts'

/** Outgoing connections: to sites, to webhook receivers, to other processes of the installation. */
export function openNetwork(settings: Settings, log: Log) {
  const guard = createGuard(settings.allowPrivateNetwork, resolverFor(settings.dnsServers))
  const egress = createEgress({ guard, log })
  const client = createHttpClient(guard, egress)
  return { guard, egress, client, peers: peerClient(), poster: createPoster(guard) }
}

export type Network = ReturnType<typeof openNetwork>
