import { Socket } from 'node:net'
import { parentPort, type Transferable } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { FromChild, ToChild } from './child.ts'
import { maxFrameBytes, openFrames, parentDescriptor } from './frames.ts'

export interface RequestContext {
  notify(note: unknown): void
  onNote(listener: (note: unknown) => void): void
  /** Adds work that the caller does not wait for. Its errors are ignored. */
  afterReply(work: () => void): void
}

type Handle<Request, Reply> = (request: Request, context: RequestContext) => Promise<Reply>

/** The main function of a script of `processProgram`. The process ends when the parent closes the connection. */
export function serveProcess<Request, Reply>(handle: Handle<Request, Reply>): void {
  const socket = new Socket({ fd: parentDescriptor })
  const frames = openFrames(socket, {
    maxSentBytes: maxFrameBytes,
    maxReceivedBytes: maxFrameBytes,
    onValue: createReceiver(handle, (message) => frames.send(message)),
    onViolation: () => process.exit(1),
  })
  socket.on('close', () => process.exit()).on('error', () => process.exit())
}

export function serveThread<Request, Reply>(
  handle: Handle<Request, Reply>,
  getTransferables: (reply: Reply) => Transferable[] = () => [],
): void {
  const send = (message: FromChild) =>
    // Only the handler creates replies.
    parentPort?.postMessage(message, 'reply' in message ? getTransferables(message.reply as Reply) : [])
  parentPort?.on('message', createReceiver(handle, send))
}

function createReceiver<Request, Reply>(
  handle: Handle<Request, Reply>,
  send: (message: FromChild) => void,
): (value: unknown) => void {
  const listeners = new Map<number, (note: unknown) => void>()

  async function handleRequest(id: number, request: Request): Promise<void> {
    const workAfterReply: (() => void)[] = []
    const context: RequestContext = {
      notify: (note) => send({ id, note }),
      onNote: (listener) => void listeners.set(id, listener),
      afterReply: (work) => void workAfterReply.push(work),
    }
    try {
      send({ id, reply: await handle(request, context) })
    } catch (thrown) {
      send({ id, problem: thrown instanceof AppError ? { refused: thrown.toStored() } : { error: thrown } })
    } finally {
      listeners.delete(id)
    }
    for (const work of workAfterReply) {
      try {
        work()
      } catch {
        // The error is ignored, because the caller already has its reply.
      }
    }
  }

  return (value) => {
    // Only the parent sends messages, in these two forms.
    const message = value as ToChild
    if ('note' in message) listeners.get(message.id)?.(message.note)
    // The caller sends requests of the type that the script handles.
    else void handleRequest(message.id, message.request as Request)
  }
}
