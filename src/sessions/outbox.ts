import type { Readable } from 'node:stream'
import type { WebSocket } from 'ws'
import { closeSocket } from '../platform/web-sockets.ts'

export type Outbox = ReturnType<typeof createOutbox>

export interface UnreadLimits {
  /** Maximum unread data of one client, in addition to the message being sent. */
  megabytes: number
}

/** Maximum bytes that wait in the connection itself, from which they cannot be discarded. */
const maxInProgress = 1024 * 1024
const maxTotalBytes = 256 * 1024 * 1024
const boxes = new Set<{ unread(): number; cut(): void }>()

/** Buffers messages for a client that may be slow, up to a limit above which the client is disconnected. */
export function createOutbox(socket: WebSocket, { megabytes }: UnreadLimits) {
  const maxBytes = megabytes * 1024 * 1024
  let queue: (string | Buffer)[] = []
  let next = 0
  let size = 0
  let isDisconnected = false
  let listeners: (() => void)[] = []
  const box = { unread: () => size + socket.bufferedAmount, cut: disconnect }
  boxes.add(box)
  socket.once('close', () => {
    boxes.delete(box)
    clear()
  })

  function disconnect(): void {
    if (isDisconnected) return
    isDisconnected = true
    boxes.delete(box)
    clear()
    closeSocket(socket, 1008, `Too much data was left unread: CLIENT_UNREAD_MB is ${megabytes}.`)
  }

  function clear(): void {
    ;[queue, next, size] = [[], 0, 0]
    notifyDrained()
  }

  function notifyDrained(): void {
    const notified = listeners
    listeners = []
    for (const listener of notified) listener()
  }

  function flush(): void {
    if (socket.readyState !== socket.OPEN) {
      clear()
      return
    }
    while (next < queue.length && socket.bufferedAmount < maxInProgress) {
      const message = queue[next] ?? ''
      next += 1
      size -= message.length
      socket.send(message, flush)
    }
    if (next === queue.length) [queue, next] = [[], 0]
    if (box.unread() <= maxInProgress) notifyDrained()
  }

  return {
    send(message: string | Buffer): void {
      if (isDisconnected || socket.readyState !== socket.OPEN) return
      queue.push(message)
      size += message.length
      flush()
      if (size > maxBytes) disconnect()
      else if (box.unread() > maxInProgress) enforceTotalLimit()
    },
    unread: box.unread,
    async drained(): Promise<void> {
      if (!isDisconnected && box.unread() > maxInProgress)
        await new Promise<void>((resolve) => listeners.push(resolve))
    },
  }
}

/** Disconnects the client with the most unread data first: clients that read have almost none. */
function enforceTotalLimit(): void {
  const total = () => [...boxes].reduce((sum, box) => sum + box.unread(), 0)
  while (total() > maxTotalBytes) {
    const [largest] = [...boxes].sort((left, right) => right.unread() - left.unread())
    largest?.cut()
  }
}

const maxBytesPerInterval = 1024 * 1024
const pauseMs = 20

/** Pauses the source above 50 MB a second. That much data takes about 1 % of the time of the service. */
export function createThrottle(source: Readable): (bytes: number) => void {
  let remaining = maxBytesPerInterval
  let pauseTimer: NodeJS.Timeout | undefined
  return (bytes) => {
    remaining -= bytes
    if (remaining > 0 || pauseTimer) return
    source.pause()
    pauseTimer = setTimeout(() => {
      pauseTimer = undefined
      remaining = maxBytesPerInterval
      source.resume()
    }, pauseMs)
  }
}
