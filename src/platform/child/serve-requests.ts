import { Socket } from 'node:net'
import { parentPort, type Transferable } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { ChildProblem, FromChild, ToChild } from './child.ts'
import { maxFrameBytes, openFrames, parentDescriptor } from './frames.ts'

/** The running request, for messages to and from the parent before its reply, and for work after it. */
export interface RequestContext {
  notify(note: unknown): void
  onNote(listener: (note: unknown) => void): void
  /** Adds work that the caller does not wait for. Its failure changes nothing. */
  afterReply(work: () => void): void
}

type Handle<Request, Reply> = (request: Request, context: RequestContext) => Promise<Reply>

/**
 * Answers the requests of the parent process; the main function of a script of `processProgram`. The process ends
 * when the parent closes the connection.
 */
export function serveProcess<Request, Reply>(handle: Handle<Request, Reply>): void {
  const socket = new Socket({ fd: parentDescriptor })
  const frames = openFrames(socket, {
    maxSentBytes: maxFrameBytes,
    maxReceivedBytes: maxFrameBytes,
    onValue: receiver(handle, (message) => frames.send(message)),
    onViolation: () => process.exit(1),
  })
  socket.on('close', () => process.exit()).on('error', () => process.exit())
}

/** Answers the requests to this thread; the main function of a script of `threadProgram`. */
export function serveThread<Request, Reply>(
  handle: Handle<Request, Reply>,
  /** Buffers of a reply that change threads without being copied. */
  movedIn: (reply: Reply) => Transferable[] = () => [],
): void {
  const send = (message: FromChild) =>
    // Only the handler makes replies.
    parentPort?.postMessage(message, 'reply' in message ? movedIn(message.reply as Reply) : [])
  parentPort?.on('message', receiver(handle, send))
}

function receiver<Request, Reply>(
  handle: Handle<Request, Reply>,
  send: (message: FromChild) => void,
): (value: unknown) => void {
  const listeners = new Map<number, (note: unknown) => void>()

  async function answer(id: number, request: Request): Promise<void> {
    const later: (() => void)[] = []
    const context: RequestContext = {
      notify: (note) => send({ id, note }),
      onNote: (listener) => void listeners.set(id, listener),
      afterReply: (work) => void later.push(work),
    }
    try {
      send({ id, reply: await handle(request, context) })
    } catch (thrown) {
      send({ id, problem: problemOf(thrown) })
    } finally {
      listeners.delete(id)
    }
    for (const work of later) attempt(work)
  }

  return (value) => {
    // Only the parent sends messages, in these two forms.
    const message = value as ToChild
    if ('note' in message) listeners.get(message.id)?.(message.note)
    // The caller gives requests of the type that the script handles.
    else void answer(message.id, message.request as Request)
  }
}

function problemOf(thrown: unknown): ChildProblem {
  return thrown instanceof AppError ? { refused: thrown.toStored() } : { error: thrown }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The caller has its reply.
  }
}
