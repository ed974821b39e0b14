import { Socket } from 'node:net'
import { type FromChild, maxFrameBytes, openFrames, parentDescriptor, type ToChild } from './frames.ts'

/** The running request, for messages to and from the parent before its reply. */
export interface RequestContext {
  notify(note: unknown): void
  onNote(listener: (note: unknown) => void): void
}

/**
 * Answers the requests of the parent process; the main function of a script that `createChildPool` runs. The process ends
 * when the parent closes the connection.
 */
export function serveRequests<Request, Reply>(
  handle: (request: Request, context: RequestContext) => Promise<Reply>,
): void {
  const socket = new Socket({ fd: parentDescriptor })
  const listeners = new Map<number, (note: unknown) => void>()
  const send = (message: FromChild) => frames.send(message)

  async function answer(id: number, request: Request): Promise<void> {
    const context: RequestContext = {
      notify: (note) => send({ id, note }),
      onNote: (listener) => void listeners.set(id, listener),
    }
    try {
      send({ id, reply: await handle(request, context) })
    } catch (thrown) {
      send({ id, problem: thrown instanceof Error ? thrown.message : String(thrown) })
    } finally {
      listeners.delete(id)
    }
  }

  const frames = openFrames(socket, {
    maxSentBytes: maxFrameBytes,
    maxReceivedBytes: maxFrameBytes,
    onValue(value) {
      // Only the parent writes to this connection, in these two forms.
      const message = value as ToChild
      if ('note' in message) listeners.get(message.id)?.(message.note)
      // The caller of the pool gives requests of the type that its script handles.
      else answer(message.id, message.request as Request)
    },
    onViolation: () => process.exit(1),
  })
  socket.on('close', () => process.exit()).on('error', () => process.exit())
}
