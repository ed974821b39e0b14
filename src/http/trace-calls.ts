import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallSpan, Tracing } from '../telemetry/tracing.ts'

/** Every call becomes a span, and what its handler does stands under it. */
export function traceCalls(fastify: FastifyInstance, tracing: Pick<Tracing, 'beginCall'>): void {
  const spans = new WeakMap<FastifyRequest, CallSpan>()
  fastify.addHook('onRequest', (request, _, done) => {
    spans.set(request, tracing.beginCall(request))
    done()
  })
  // Not sooner: while a body is read, everything runs on behalf of the socket.
  fastify.addHook('preHandler', (request, _, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    spans.get(request)?.end({ route, status: reply.statusCode, requestId: request.id })
    done()
  })
}
