import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { goneSignal } from './gone-signal.ts'

/**
 * What other processes of the installation ask of the sessions that live here. It has a secret of its own in place of a key,
 * and counts against no budget: the call was counted where it came in.
 */
export function addPeerRoute(fastify: FastifyInstance, app: App): void {
  fastify.post<{ Params: { id: string; name: string } }>(
    '/internal/sessions/:id/:name',
    async (request, reply) => {
      const token = /^peer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const call = { ...request.params, input: request.body, token }
      return { output: await app.sessions.servePeer(call, goneSignal(reply)) }
    },
  )
}
