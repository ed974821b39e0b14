import type { FastifyInstance } from 'fastify'
import type { Activity } from '../base/activity.ts'

/** Registers every call until its connection or its response ends. */
export function registerCalls(fastify: FastifyInstance, activity: Activity): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    reply.raw.once('close', activity.begin(`${request.id} ${request.method} ${route}`))
    done()
  })
}
