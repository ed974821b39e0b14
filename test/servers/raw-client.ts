import type { CdpClient, CdpMultiplexer, JoiningClient } from '../../src/sessions/cdp/multiplexer.ts'

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
  /** The first event, past or to come, that fits. */
  event(fits: (message: CdpMessage) => boolean): Promise<CdpMessage>
  heard: CdpMessage[]
  isClosed(): boolean
  client: CdpClient
}

/** A client that speaks the protocol by hand. */
export async function rawClient(cdp: CdpMultiplexer, as: Partial<JoiningClient> = {}): Promise<RawClient> {
  const heard: CdpMessage[] = []
  const waiting = new Set<() => void>()
  const asked = new Map<number, (answer: CdpMessage) => void>()
  let closed = false
  const client = await cdp.join({
    kind: 'guest',
    receive(text) {
      const message: CdpMessage = JSON.parse(text)
      heard.push(message)
      asked.get(message.id ?? 0)?.(message)
      for (const look of waiting) look()
    },
    closed() {
      closed = true
    },
    ...as,
  })
  let last = 0

  function event(fits: (message: CdpMessage) => boolean): Promise<CdpMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const found = heard.find(fits)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  }

  return {
    ask(method, params, sessionId) {
      last += 1
      const id = last
      const answered = new Promise<CdpMessage>((resolve) => asked.set(id, resolve))
      client.send(JSON.stringify({ id, method, params, sessionId }))
      return answered
    },
    event,
    heard,
    isClosed: () => closed,
    client,
  }
}
