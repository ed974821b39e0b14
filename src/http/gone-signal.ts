import type { FastifyReply } from 'fastify'

/** Aborts when the caller has gone before it was answered. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort(new Error('The caller has gone.'))
  // A response closes once, whether it was sent or its connection was lost before.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller has gone.'))
  })
  return controller.signal
}
