import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { ClientAddress } from './client-address.ts'
import type { Connections } from './connections.ts'
import { RequestBudget, type UnfinishedLimits } from './request-budget.ts'

export type UnfinishedRequests = ReturnType<typeof limitUnfinishedRequests>

const checkIntervalMs = 500

export function limitUnfinishedRequests(
  server: Server,
  deps: { limits: UnfinishedLimits; connections: Connections; clientAddress: ClientAddress },
) {
  const { connections, clientAddress } = deps
  const budget = new RequestBudget(deps.limits)
  const timer = setInterval(() => budget.rejectSlow(), checkIntervalMs).unref()
  const continueResponses = new WeakMap<IncomingMessage, ServerResponse>()
  // Without a listener, Node would request the body before the key is checked.
  const deferBody = (request: IncomingMessage, response: ServerResponse) => {
    continueResponses.set(request, response)
    server.emit('request', request, response)
  }
  server.on(
    'checkContinue',
    listener(deferBody, (_, { socket }) => socket.destroy()),
  )
  return {
    open({ team, raw }: FastifyRequest, onRejected: (error: AppError) => void) {
      const owner = team ? team.id : `address ${clientAddress(raw)}`
      connections.awaitBody(raw, owner)
      return budget.open(owner, onRejected)
    },
    /** Sends "100 Continue" to a client that waits with its body (`Expect: 100-continue`). */
    sendContinue({ raw }: FastifyRequest) {
      if (raw.headers.expect !== undefined) continueResponses.get(raw)?.writeContinue()
    },
    async holdFile<Result>(teamId: string, bytes: number, use: () => Promise<Result>): Promise<Result> {
      const file = budget.open(teamId, () => undefined)
      try {
        await file.reserve(bytes)
        file.add(bytes)
        file.complete()
        return await use()
      } finally {
        file.release()
      }
    },
    /** Marks the body as arrived or as no longer needed. Throws TOO_MANY_SOCKETS. */
    markReceived: ({ raw }: FastifyRequest) => connections.markBodyReceived(raw),
    counts: () => budget.counts(),
    stop: () => clearInterval(timer),
  }
}
