import { newId } from '../base/ids.ts'
import { connectionPools } from './connection-pools.ts'
import type { Egress, Exit } from './egress/egress.ts'
import { fingerprintSender } from './fingerprint-sender.ts'
import type { Sender } from './sender.ts'

/** The settings of a native client, which are fixed when it is created. */
interface ClientSettings {
  team: string
  upstream: URL | undefined
  verifyTls: boolean
}

interface Client {
  settings: string
  send: Sender
  exit: Exit
  releasedAt: number
}

export interface FingerprintPools {
  use<Result>(key: string, settings: ClientSettings, work: (send: Sender) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Clients that are unused, with and without a pool. */
const maxIdleClients = 16
/** A client notices on its own thread that its connections have ended. */
const restMs = 200

/**
 * Pools of connections with the fingerprint of a browser. A native client takes 0.6 MB that the garbage collector does not
 * see, so a client is used again for another pool of its team. It cannot close its connections; its own egress listener can.
 */
export function fingerprintPools(egress: Egress): FingerprintPools {
  const pools = connectionPools<Sender>({ maxPools: maxIdleClients, idleMs: 5000 })
  const spare: Client[] = []
  let isClosed = false

  async function openClient({ team, upstream, verifyTls }: ClientSettings): Promise<Client> {
    const settings = JSON.stringify([team, upstream, verifyTls])
    const rested = performance.now() - restMs
    const found = spare.findIndex((client) => client.settings === settings && client.releasedAt < rested)
    const [known] = found === -1 ? [] : spare.splice(found, 1)
    if (known) return known
    const exit = await egress.exit({ team, upstream, pool: newId() })
    return { settings, send: await fingerprintSender(exit.url, verifyTls), exit, releasedAt: 0 }
  }

  function release(client: Client): void {
    client.exit.dropConnections()
    client.releasedAt = performance.now()
    spare.push(client)
    while (spare.length > (isClosed ? 0 : maxIdleClients)) spare.shift()?.exit.leave()
  }

  return {
    use(key, settings, work) {
      const open = async () => {
        const client = await openClient(settings)
        return { value: client.send, close: () => release(client) }
      }
      return pools.use(key, open, work)
    },
    async close() {
      isClosed = true
      await pools.close()
      for (const { exit } of spare.splice(0)) exit.leave()
    },
  }
}
