import type { RawData, WebSocket } from 'ws'
import { bucket } from '../../base/bucket.ts'
import { dismiss } from '../../base/dismiss.ts'
import { keepAlive } from '../../base/keep-alive.ts'
import { listener } from '../../base/listener.ts'
import { type ViewerInput, viewerInput } from './input.ts'

export interface Viewer {
  isInteractive: boolean
  /** Like frames: of the messages that arrive while the last one is being sent, only the newest of each kind is sent. */
  tell(message: { type: string } & object): void
  /** Sent when the last frame has been sent; of the frames that arrive in the meantime only the newest is sent. */
  show(picture: Buffer): void
  close(code: number, reason: string): void
}

export interface ViewerEvents {
  onInput(input: ViewerInput): void
  onGone(): void
}

/** Faster than any mouse movement. */
const pace = { perSecond: 250, atOnce: 500 }
const mostInput = 100_000
/** A client that has not read a frame by then counts as gone. */
const mostSendingMs = 20_000

const picture = 'picture'

/** One WebSocket that watches, and controls if allowed. */
export function openViewer(socket: WebSocket, isInteractive: boolean, events: ViewerEvents): Viewer {
  let isSending = false
  /** Pending data, the newest of each kind: messages before frames. */
  const waiting = new Map<string, string | Buffer>()
  const inputs = bucket(pace)
  const stopPinging = keepAlive(socket)

  function put(kind: string, message: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    waiting.set(kind, message)
    if (!isSending) sendNext()
  }

  function sendNext(): void {
    const [next] = [...waiting].sort(
      ([left], [right]) => Number(left === picture) - Number(right === picture),
    )
    isSending = next !== undefined && socket.readyState === socket.OPEN
    if (!next || !isSending) return
    const [kind, message] = next
    waiting.delete(kind)
    const late = setTimeout(
      () => dismiss(socket, 1008, 'The client does not read the frames.'),
      mostSendingMs,
    )
    socket.send(message, () => {
      clearTimeout(late)
      sendNext()
    })
  }

  function read(message: RawData): void {
    const text = String(message)
    if (inputs.take(1) < 0 || text.length > mostInput) {
      dismiss(socket, 1008, 'Too much input at once.')
      return
    }
    const input = readInput(text)
    if (input && isInteractive) events.onInput(input)
    else if (input) dismiss(socket, 1008, 'This view is read-only.')
  }

  socket.on(
    'message',
    listener(read, () => socket.terminate()),
  )
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    events.onGone()
  })

  return {
    isInteractive,
    tell: (message) => put(message.type, JSON.stringify(message)),
    show: (frame) => put(picture, frame),
    close: (code, reason) => dismiss(socket, code, reason),
  }
}

function readInput(text: string): ViewerInput | undefined {
  try {
    return viewerInput.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
