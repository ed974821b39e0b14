import type { FastifyRequest } from 'fastify'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export type ObserveCall = (request: FastifyRequest, status: number, code?: string) => void

/** Counted and logged when the answer is ready. Waiting for it to be on the wire would cost as much again. */
export function callObserver({ metrics, log }: { metrics: Metrics; log: Log }): ObserveCall {
  return (request, status, code) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { id: requestId, method, team } = request
    const ms = performance.now() - request.began
    metrics.call({ method, route, status, ms })
    log.info({ requestId, method, route, status, ms: Math.round(ms), team: team?.name, code }, 'call')
  }
}
