import type { CdpClient, CdpMultiplexer, ConnectingClient } from '../../src/sessions/cdp/multiplexer.ts'

export interface CdpMessage {
  id?: number
  method?: string
  sessionId?: string
  // biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of shapes, and tests look into a few
  params?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  result?: any
  error?: { code: number; message: string }
}

export interface RawClient {
  ask(method: string, params?: object, sessionId?: string): Promise<CdpMessage>
  /** Resolves to the first matching event, past or future. */
  event(fits: (message: CdpMessage) => boolean): Promise<CdpMessage>
  heard: CdpMessage[]
  isClosed(): boolean
  client: CdpClient
}

/** Creates a client that sends and receives raw CDP messages. */
export async function rawClient(cdp: CdpMultiplexer, as: Partial<ConnectingClient> = {}): Promise<RawClient> {
  const heard: CdpMessage[] = []
  const listeners = new Set<() => void>()
  const pending = new Map<number, (reply: CdpMessage) => void>()
  let closed = false
  const client = await cdp.join({
    kind: 'guest',
    receive(text) {
      const message: CdpMessage = JSON.parse(text)
      heard.push(message)
      pending.get(message.id ?? 0)?.(message)
      for (const listener of listeners) listener()
    },
    closed() {
      closed = true
    },
    ...as,
  })
  let lastId = 0

  function event(fits: (message: CdpMessage) => boolean): Promise<CdpMessage> {
    return new Promise((resolve) => {
      const listener = () => {
        const match = heard.find(fits)
        if (!match) return
        listeners.delete(listener)
        resolve(match)
      }
      listeners.add(listener)
      listener()
    })
  }

  return {
    ask(method, params, sessionId) {
      lastId += 1
      const id = lastId
      const reply = new Promise<CdpMessage>((resolve) => pending.set(id, resolve))
      client.send(JSON.stringify({ id, method, params, sessionId }))
      return reply
    },
    event,
    heard,
    isClosed: () => closed,
    client,
  }
}
