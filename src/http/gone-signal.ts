import type { FastifyReply } from 'fastify'

/** Aborts when the caller has gone before it was answered, and when the service stops and cannot wait for the call any longer. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  // Its close event has been, so a listener would never be removed.
  if (reply.raw.destroyed) return AbortSignal.abort(new Error('The caller has gone.'))
  const controller = new AbortController()
  const { interrupted } = reply.server
  const interrupt = () => controller.abort(interrupted.reason)
  if (interrupted.aborted) interrupt()
  interrupted.addEventListener('abort', interrupt)
  // A response closes once, whether it was sent or its connection was lost before.
  reply.raw.once('close', () => {
    interrupted.removeEventListener('abort', interrupt)
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller has gone.'))
  })
  return controller.signal
}
