import type { RawData, WebSocket } from 'ws'
import { keepAlive } from '../../base/keep-alive.ts'
import { type ViewerInput, viewerInput } from './input.ts'

export interface Viewer {
  isInteractive: boolean
  tell(message: object): void
  /** Sent when the last picture has gone out; of those that come meanwhile only the newest is. */
  show(picture: Buffer): void
  close(code: number, reason: string): void
}

export interface ViewerEvents {
  onInput(input: ViewerInput): void
  onGone(): void
}

/** Nobody moves a mouse faster than this. */
const mostPerSecond = 250
const mostAtOnce = 500
const mostInput = 100_000
/** One picture and some words: who leaves more than this unread does not read at all. */
const mostBuffered = 4 * 1024 * 1024

/** One WebSocket that watches, and steers when it may. */
export function openViewer(socket: WebSocket, isInteractive: boolean, events: ViewerEvents): Viewer {
  let isSending = false
  let next: Buffer | undefined
  const mayPass = bucket()
  const stopPinging = keepAlive(socket)

  function show(picture: Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    if (isSending) {
      next = picture
      return
    }
    isSending = true
    next = undefined
    socket.send(picture, () => {
      isSending = false
      if (next) show(next)
    })
  }

  function read(message: RawData): void {
    const text = String(message)
    if (!mayPass() || text.length > mostInput) {
      socket.close(1008, 'Too much input at once.')
      return
    }
    const input = readInput(text)
    if (input && isInteractive) events.onInput(input)
    else if (input) socket.close(1008, 'This view is for watching only.')
  }

  socket.on('message', read)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    events.onGone()
  })

  return {
    isInteractive,
    tell(message) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > mostBuffered) socket.terminate()
      else socket.send(JSON.stringify(message))
    },
    show,
    close: (code, reason) => socket.close(code, reason),
  }
}

function readInput(text: string): ViewerInput | undefined {
  try {
    return viewerInput.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function bucket(): () => boolean {
  let left = mostAtOnce
  let filled = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(mostAtOnce, left + ((now - filled) * mostPerSecond) / 1000)
    filled = now
    left -= 1
    return left >= 0
  }
}
