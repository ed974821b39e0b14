import type { Readable } from 'node:stream'
import type { WebSocket } from 'ws'
import { dismiss } from '../platform/web-sockets.ts'

export interface Outbox {
  send(message: string | Buffer): void
  /** Unread bytes. */
  unread(): number
  /** Settles when little is left unread, or the client is gone. */
  drained(): Promise<void>
}

export interface UnreadLimits {
  /** Of one client, in addition to the message being sent. */
  megabytes: number
}

/** Bytes passed to the connection at a time: enough to keep it busy. They cannot be taken back. */
const maxInProgress = 1024 * 1024
/** Of all clients of this process together. */
const mostOfAll = 256 * 1024 * 1024
const boxes = new Set<Box>()

interface Box {
  unread(): number
  cut(): void
}

/** Messages for a client that may be slow: buffered up to a limit, above which the client is disconnected. */
export function outbox(socket: WebSocket, { megabytes }: UnreadLimits): Outbox {
  const most = megabytes * 1024 * 1024
  let waiting: (string | Buffer)[] = []
  let next = 0
  let size = 0
  let isCut = false
  let listeners: (() => void)[] = []
  const box: Box = { unread: () => size + socket.bufferedAmount, cut }
  boxes.add(box)
  socket.once('close', () => {
    boxes.delete(box)
    drop()
  })

  function cut(): void {
    if (isCut) return
    isCut = true
    boxes.delete(box)
    drop()
    dismiss(socket, 1008, `Too much data was left unread: CLIENT_UNREAD_MB is ${megabytes}.`)
  }

  function drop(): void {
    ;[waiting, next, size] = [[], 0, 0]
    tellDrained()
  }

  function tellDrained(): void {
    const heard = listeners
    listeners = []
    for (const listener of heard) listener()
  }

  function pump(): void {
    if (socket.readyState !== socket.OPEN) {
      drop()
      return
    }
    while (next < waiting.length && socket.bufferedAmount < maxInProgress) {
      const message = waiting[next] ?? ''
      next += 1
      size -= message.length
      socket.send(message, pump)
    }
    if (next === waiting.length) [waiting, next] = [[], 0]
    if (box.unread() <= maxInProgress) tellDrained()
  }

  return {
    send(message) {
      if (isCut || socket.readyState !== socket.OPEN) return
      waiting.push(message)
      size += message.length
      pump()
      if (size > most) cut()
      else if (box.unread() > maxInProgress) keepTotal()
    },
    unread: box.unread,
    drained() {
      if (isCut || box.unread() <= maxInProgress) return Promise.resolve()
      return new Promise((resolve) => listeners.push(resolve))
    },
  }
}

/** The client with the most unread data is disconnected first: clients that read have almost none. */
function keepTotal(): void {
  const total = () => [...boxes].reduce((sum, box) => sum + box.unread(), 0)
  while (total() > mostOfAll) {
    const [largest] = [...boxes].sort((left, right) => right.unread() - left.unread())
    largest?.cut()
  }
}

const maxConcurrent = 1024 * 1024
const restFor = 20

/**
 * Back-pressure: after a number of bytes the source pauses for a moment, and its writer waits. That is 50 MB a
 * second, which takes a hundredth of the time of the service.
 */
export function pace(source: Readable): (bytes: number) => void {
  let left = maxConcurrent
  let resting: NodeJS.Timeout | undefined
  return (bytes) => {
    left -= bytes
    if (left > 0 || resting) return
    source.pause()
    resting = setTimeout(() => {
      resting = undefined
      left = maxConcurrent
      source.resume()
    }, restFor)
  }
}
