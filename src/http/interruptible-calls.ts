import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { SendError } from './send-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the time that running calls have after a request to stop is over. */
    interrupted: AbortSignal
  }
}

export interface InterruptibleCalls {
  /** Calls whose response has not begun. */
  unanswered(): number
  /** Aborts all running calls and resolves when each has been answered, at the latest after two seconds. */
  interrupt(): Promise<void>
}

/** Time in which interrupted calls can end by themselves: a charge that is being recorded keeps its response. */
const settleMs = 1000
/** Time in which the last responses are sent. */
const flushMs = 1000
const pollMs = 20

/** Answers calls that a stop of the service interrupts, instead of cutting their connections. */
export function interruptibleCalls(fastify: FastifyInstance, sendError: SendError): InterruptibleCalls {
  const calls = new Map<FastifyReply, FastifyRequest>()
  const interrupted = new AbortController()
  fastify.decorate('interrupted', interrupted.signal)
  fastify.addHook('onRequest', (request, reply, done) => {
    calls.set(reply, request)
    reply.raw.once('close', () => calls.delete(reply))
    done()
  })
  const unanswered = () => [...calls].filter(([{ raw }]) => !raw.headersSent)
  const isFlushed = () => [...calls.keys()].every(({ raw }) => raw.writableFinished)
  return {
    unanswered: () => unanswered().length,
    async interrupt() {
      interrupted.abort(new AppError('CALL_INTERRUPTED', { retryAfter: 2 }))
      await waitUntil(() => unanswered().length === 0, settleMs)
      for (const [reply, request] of unanswered()) sendError(interrupted.signal.reason, request, reply)
      await waitUntil(isFlushed, flushMs)
    },
  }
}

async function waitUntil(isDone: () => boolean, withinMs: number): Promise<void> {
  const ends = performance.now() + withinMs
  while (!isDone() && performance.now() < ends) await sleep(pollMs)
}
