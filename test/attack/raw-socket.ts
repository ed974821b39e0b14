import { connect } from 'node:net'

export interface RawStroke {
  /** Parts are written one after the other, each in a packet of its own. */
  parts: (string | Uint8Array)[]
  /** After the last part: a reset, an orderly end, or waiting for the other side. */
  leave: 'reset' | 'end' | 'wait'
}

/** Writes bytes to a port as they are and answers what came back until the connection was over. */
export function strikeRaw(url: string, { parts, leave }: RawStroke, mostMs = 250): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    const timer = setTimeout(() => socket.destroy(), mostMs)
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(heard)
    })
    socket.on('connect', async () => {
      for (const part of parts) {
        if (socket.destroyed) return
        await new Promise<void>((written) => socket.write(part, () => setImmediate(written)))
      }
      if (leave === 'reset') socket.resetAndDestroy()
      if (leave === 'end') socket.end()
    })
  })
}

/** The statuses of the answers in what came back. */
export function statusesIn(heard: string): number[] {
  return [...heard.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}
