import { newId } from '../../platform/ids.ts'
import { type BodyLimits, readBody } from './body.ts'
import { createConnectionPools } from './connection-pools.ts'
import type { Egress, Exit } from './egress/egress.ts'

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

const maxIdleClients = 16
/** Its own thread needs time to detect that its connections have ended. */
const reuseDelayMs = 200

/** A client takes 0.6 MB, so its team reuses it. Its egress listener closes the connections, because it cannot. */
export function createFingerprintPools(egress: Egress) {
  const pools = createConnectionPools<Sender>({ maxPools: maxIdleClients, idleMs: 5000 })
  const idleClients: Client[] = []
  let isClosed = false

  async function openClient({ team, upstream, verifyTls }: ClientSettings): Promise<Client> {
    const settings = JSON.stringify([team, upstream, verifyTls])
    const latestRelease = performance.now() - reuseDelayMs
    const index = idleClients.findIndex(
      (client) => client.settings === settings && client.releasedAt < latestRelease,
    )
    const [reusable] = index === -1 ? [] : idleClients.splice(index, 1)
    if (reusable) return reusable
    const exit = await egress.exit({ team, upstream, pool: newId() })
    return { settings, send: await fingerprintSender(exit.url, verifyTls), exit, releasedAt: 0 }
  }

  function release(client: Client): void {
    client.exit.dropConnections()
    client.releasedAt = performance.now()
    idleClients.push(client)
    while (idleClients.length > (isClosed ? 0 : maxIdleClients)) idleClients.shift()?.exit.release()
  }

  return {
    use<Result>(key: string, settings: ClientSettings, work: (send: Sender) => Promise<Result>) {
      const open = async () => {
        const client = await openClient(settings)
        return { value: client.send, close: () => release(client) }
      }
      return pools.use(key, open, work)
    },
    async close() {
      isClosed = true
      await pools.close()
      for (const { exit } of idleClients.splice(0)) exit.release()
    },
  }
}

export type Sender = (url: URL, headers: Record<string, string>, signal: AbortSignal) => Promise<RawResponse>

export interface RawResponse {
  status: number
  headers: Record<string, string>
  cookies: string[]
  read(limits: BodyLimits): Promise<{ bytes: Uint8Array; isDecoded: boolean }>
  drop(): Promise<void>
}

async function fingerprintSender(proxyUrl: string, verifyTls: boolean): Promise<Sender> {
  // A native module of 11 MB, loaded only when used.
  const { Impit } = await import('impit')
  const options = { proxyUrl, ignoreTlsErrors: !verifyTls, followRedirects: false }
  const client = new Impit({ browser: 'chrome', ...options })
  return async (url, ownHeaders, signal) => {
    const headers = omitHeaders(ownHeaders, isEmulatedHeader)
    const response = await client.fetch(url.href, { headers, signal })
    const joined: Record<string, string> = {}
    response.headers.forEach((value, name) => {
      joined[name.toLowerCase()] = value
    })
    const body = response.body as unknown as AsyncIterable<Uint8Array>
    return {
      status: response.status,
      headers: joined,
      cookies: response.headers.getSetCookie(),
      read: async (limits) => ({ bytes: await readBody(body, limits), isDecoded: true }),
      drop: async () => response.abort?.(),
    }
  }
}

/** Headers that the emulated browser sends itself; the headers of the service would contradict them. */
const emulatedHeaders = new Set(['user-agent', 'accept', 'accept-encoding', 'upgrade-insecure-requests'])

const isEmulatedHeader = (name: string) => emulatedHeaders.has(name) || isSecHeader(name)

export const isSecHeader = (name: string) => name.startsWith('sec-')

export function omitHeaders(
  headers: Record<string, string>,
  isDropped: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)))
}

/** An error of the library reports a failed proxy tunnel only by its class. */
export function isFailedTunnel(thrown: unknown): boolean {
  return thrown instanceof Error && /ProxyTunnel/.test(thrown.constructor.name)
}

/** The library does not report whether the connection was new. */
export function isConnectionLost(thrown: unknown): boolean {
  return thrown instanceof Error && /RemoteProtocol|^HTTPError$/.test(thrown.constructor.name)
}
