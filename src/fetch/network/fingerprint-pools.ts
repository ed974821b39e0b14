import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { type BodyLimits, readBody } from './body.ts'
import { createConnectionPools } from './connection-pools.ts'
import type { Egress, Exit } from './egress/egress.ts'

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

/** Clients that are unused, with and without a pool. */
const maxIdleClients = 16
/** A client notices on its own thread that its connections have ended. */
const restMs = 200

/**
 * Pools of connections with the fingerprint of a browser. A native client takes 0.6 MB that the garbage collector does not
 * see, so a client is used again for another pool of its team. It cannot close its connections; its own egress listener can.
 */
export function createFingerprintPools(egress: Egress) {
  const pools = createConnectionPools<Sender>({ maxPools: maxIdleClients, idleMs: 5000 })
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
      for (const { exit } of spare.splice(0)) exit.leave()
    },
  }
}

/** One request and its response, before redirects, cookies and encodings are handled. */
export type Sender = (url: URL, headers: Record<string, string>, signal: AbortSignal) => Promise<RawAnswer>

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  /** Cookies are the one header that must not be joined. */
  cookies: string[]
  /** The body as received, or already decoded; fails if it is larger than allowed. */
  read(limits: BodyLimits): Promise<{ bytes: Uint8Array; isDecoded: boolean }>
  /** Discards the body. */
  drop(): Promise<void>
}

/**
 * Sends requests with the fingerprint of Chrome: its order of TLS extensions, its HTTP/2 settings, its header order. Every
 * connection goes through our own proxy, which checks the target.
 */
async function fingerprintSender(proxyUrl: string, verifyTls: boolean): Promise<Sender> {
  // A native module of 11 MB, loaded only when used.
  const { Impit } = await import('impit')
  const client = new Impit({
    browser: 'chrome',
    proxyUrl,
    ignoreTlsErrors: !verifyTls,
    followRedirects: false,
  })
  return async (url, headers, signal) => {
    const answer = await client.fetch(url.href, { headers: withoutNames(headers, isOwn), signal })
    const joined: Record<string, string> = {}
    answer.headers.forEach((value, name) => {
      joined[name.toLowerCase()] = value
    })
    const body = answer.body as unknown as AsyncIterable<Uint8Array>
    return {
      status: answer.status,
      headers: joined,
      cookies: answer.headers.getSetCookie(),
      // The library decodes the body itself; the size is checked on the decoded bytes.
      read: async (limits) => ({ bytes: await readBody(body, limits), isDecoded: true }),
      drop: async () => answer.abort?.(),
    }
  }
}

/** The emulated browser sends its own; ours would contradict them. */
const own = new Set(['user-agent', 'accept', 'accept-encoding', 'upgrade-insecure-requests'])

const isOwn = (name: string) => own.has(name) || isHint(name)

export const isHint = (name: string) => name.startsWith('sec-')

export function withoutNames(
  headers: Record<string, string>,
  isDropped: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)))
}

/** Distinguishes errors of the library from an abort by the caller. */
export function isRefusedTunnel(thrown: unknown): boolean {
  return (
    !(thrown instanceof AppError) && thrown instanceof Error && /ProxyTunnel/.test(thrown.constructor.name)
  )
}

/** A connection that ended without an answer; the library does not say whether it was a new one. */
export function isConnectionLost(thrown: unknown): boolean {
  return thrown instanceof Error && /RemoteProtocol|^HTTPError$/.test(thrown.constructor.name)
}
