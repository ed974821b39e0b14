import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../jobs/telemetry/metrics.ts'
import { JsonText } from '../platform/json/json.ts'
import { isShortJson, jsonChunks, jsonSize } from '../platform/json/write-json.ts'
import type { Log } from '../platform/log.ts'
import type { UnsentBytesLimiter } from './connections/unsent-bytes.ts'

/** Maximum bytes of a response that is serialised synchronously, which takes 1–2 ms. */
const maxSyncBytes = 256 * 1024

/** A long response is serialised as it is read: it neither blocks the event loop nor fills memory. */
export function toPayload(reply: FastifyReply, response: unknown, unread: UnsentBytesLimiter): unknown {
  if (isShortJson(response, maxSyncBytes)) return response
  const stream = Readable.from(jsonChunks(response), { objectMode: false, highWaterMark: 64 * 1024 })
  const release = unread.hold(reply.raw.socket, jsonSize(response, Infinity))
  reply.raw.once('close', release)
  reply.type('application/json; charset=utf-8')
  return stream
}

export async function resolveJsonText(response: unknown): Promise<unknown> {
  if (response instanceof JsonText) return response.value()
  if (Array.isArray(response)) return Promise.all(response.map(resolveJsonText))
  if (typeof response !== 'object' || response === null) return response
  const entries = Object.entries(response).map(async ([name, value]) => [name, await resolveJsonText(value)])
  return Object.fromEntries(await Promise.all(entries))
}

export class Streamed {
  readonly headers: Record<string, string>
  readonly chunks: AsyncIterable<string | Uint8Array>

  constructor(headers: { 'content-type': string } & Record<string, string>, chunks: Streamed['chunks']) {
    this.headers = headers
    this.chunks = chunks
  }

  /** If generating the stream fails, the connection is destroyed. */
  toStream(reply: FastifyReply): Readable {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...this.headers })
    return Readable.from(this.bytes(), { objectMode: false, highWaterMark: 64 * 1024 })
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
}

export type ObserveCall = (request: FastifyRequest, status: number, code?: string) => void

/** Counts and logs a call when its response is ready: waiting until it is sent would double the cost. */
export function createRequestObserver({ metrics, log }: { metrics: Metrics; log: Log }): ObserveCall {
  return (request, status, code) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { id: requestId, method, team } = request
    const ms = performance.now() - request.startedAt
    metrics.call({ method, route, status, ms })
    log.info({ requestId, method, route, status, ms: Math.round(ms), team: team?.name, code }, 'call')
  }
}
