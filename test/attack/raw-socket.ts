import { connect } from 'node:net'

export interface RawRequest {
  /** Parts are written one after the other, each in a separate packet. */
  parts: (string | Uint8Array)[]
  /** After the last part: a reset, an orderly end, or waiting for the server. */
  leave: 'reset' | 'end' | 'wait'
}

/** Writes raw bytes to a port. Returns everything received until the connection closed. */
export function sendRaw(url: string, { parts, leave }: RawRequest, maxMs = 250): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    const timer = setTimeout(() => socket.destroy(), maxMs)
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
    socket.on('connect', async () => {
      for (const part of parts) {
        if (socket.destroyed) return
        await new Promise<void>((resolve) => socket.write(part, () => setImmediate(resolve)))
      }
      if (leave === 'reset') socket.resetAndDestroy()
      if (leave === 'end') socket.end()
    })
  })
}

/** Returns the statuses of all responses in the received text. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}
