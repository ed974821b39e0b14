import type { Socket } from 'node:net'
import type { Log } from '../../base/log.ts'
import type { Guard } from '../guard.ts'
import { createExits, type Exit, type ExitOwner } from './exits.ts'
import { selfTestUrl } from './self-test.ts'
import { type EgressLimits, usualLimits } from './sockets.ts'

export type { Exit } from './exits.ts'

/** The only network access of browsers: resolves and checks targets, and connects to the checked address. */
export interface Egress {
  /** Address of a local HTTP proxy (`http://127.87.78.1:port`) of the service itself, for as long as it runs. */
  proxyUrl(upstream: URL | undefined): Promise<string>
  /** The same proxy for connections that did not come over the network. */
  connections(upstream: URL | undefined): Promise<(socket: Socket) => void>
  /** A proxy whose connections count as those of a team; the same listener for the same team, upstream and pool. */
  exit(whose: ExitOwner): Promise<Exit>
  /** A page that the listener without an upstream serves itself, for the self-test of browsers. */
  selfTest(): Promise<{ proxyUrl: string; url: string }>
  close(): Promise<void>
}

export function createEgress(needs: { guard: Guard; log: Log }, limits: EgressLimits = usualLimits): Egress {
  const exits = createExits(needs, limits)
  const ownExits = new Map<string, Promise<Exit>>()

  /** Exits of the service itself are never released. */
  function own(upstream: URL | undefined): Promise<Exit> {
    const key = upstream?.href ?? ''
    const found = exits.isClosed() ? undefined : ownExits.get(key)
    const opened = found ?? exits.open({ team: '', upstream })
    ownExits.set(key, opened)
    opened.catch(() => ownExits.delete(key))
    return opened
  }

  return {
    proxyUrl: async (upstream) => (await own(upstream)).url,
    connections: async (upstream) => (await own(upstream)).connect,
    exit: exits.open,
    async selfTest() {
      const { url } = await own(undefined)
      return { proxyUrl: url, url: selfTestUrl(url) }
    },
    close: exits.close,
  }
}
