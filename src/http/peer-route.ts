import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { goneSignal } from './gone-signal.ts'

/**
 * What other processes of the installation ask of the sessions that live here. It has a secret of its own in place of a key,
 * and counts against no budget: the call was counted where it came in.
 */
export function addPeerRoute(fastify: FastifyInstance, app: App): void {
  fastify.post<{ Params: { id: string; name: string } }>(
    '/internal/sessions/:id/:name',
    // Before the body is read: a stranger cannot make the service parse megabytes.
    { onRequest: (request) => app.sessions.mustBePeer(tokenOf(request)) },
    async (request, reply) => {
      const call = { ...request.params, input: request.body, token: tokenOf(request) }
      return { output: await app.sessions.servePeer(call, goneSignal(reply)) }
    },
  )
}

function tokenOf({ headers }: FastifyRequest): string {
  return /^peer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
