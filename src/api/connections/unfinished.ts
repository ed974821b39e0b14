import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { ClientAddress } from './client-address.ts'
import type { Connections } from './connections.ts'
import { type BudgetedBody, RequestBudget, type UnfinishedLimits } from './request-budget.ts'

export interface UnfinishedRequests {
  open(request: FastifyRequest, onRejected: (error: AppError) => void): BudgetedBody
  /** Sends "100 Continue" to a client that waits with its body (`Expect: 100-continue`). */
  sendContinue(request: FastifyRequest): void
  /** Marks the body as arrived or as no longer needed. Throws TOO_MANY_SOCKETS. */
  markReceived(request: FastifyRequest): void
  holdFile<Result>(teamId: string, bytes: number, use: () => Promise<Result>): Promise<Result>
  counts(): { bytes: number; bodies: number }
  stop(): void
}

const checkIntervalMs = 500

export function limitUnfinishedRequests(
  server: Server,
  deps: { limits: UnfinishedLimits; connections: Connections; clientAddress: ClientAddress },
): UnfinishedRequests {
  const { connections, clientAddress } = deps
  const budget = new RequestBudget(deps.limits)
  const timer = setInterval(() => budget.rejectSlow(), checkIntervalMs)
  timer.unref()
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
    open({ team, raw }, onRejected) {
      const owner = team ? team.id : `address ${clientAddress(raw)}`
      connections.awaitBody(raw, owner)
      return budget.open(owner, onRejected)
    },
    sendContinue({ raw }) {
      if (raw.headers.expect !== undefined) continueResponses.get(raw)?.writeContinue()
    },
    async holdFile(teamId, bytes, use) {
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
    markReceived: ({ raw }) => connections.markBodyReceived(raw),
    counts: () => budget.counts(),
    stop: () => clearInterval(timer),
  }
}
