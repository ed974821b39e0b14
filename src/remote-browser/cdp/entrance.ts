import type { Socket } from 'node:net'
import { bucket } from '../../base/bucket.ts'

/** Drivers connect once or twice, and then stay. */
const pace = { perSecond: 50, atOnce: 200 }

/** Admits connections one by one. A client that keeps connecting waits, and only uses up the places of its own session. */
export function entrance(onEntered: (socket: Socket) => void): (socket: Socket) => void {
  const left = bucket(pace)
  const waiting = new Set<Socket>()
  let isResting = false

  function letIn(): void {
    isResting = false
    for (const socket of waiting) {
      const wait = left.wait()
      if (wait > 0) {
        isResting = true
        setTimeout(letIn, wait)
        return
      }
      left.take(1)
      waiting.delete(socket)
      onEntered(socket)
    }
  }

  return (socket) => {
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    if (!isResting) letIn()
  }
}
