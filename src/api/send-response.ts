import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../jobs/telemetry/metrics.ts'
import { JsonText } from '../platform/json/json.ts'
import { isShort, jsonChunks, jsonSize } from '../platform/json/write-json.ts'
import type { Log } from '../platform/log.ts'
import type { UnsentBytesLimiter } from './connections/unsent-bytes.ts'

/** An answer up to here is written at once: it takes a millisecond or two. */
const largestAtOnce = 256 * 1024

/**
 * What the framework is to send for an answer: the answer itself where it is short, else a stream that writes it while it
 * is read, so that no answer holds up the others and nothing of it waits that nobody takes.
 */
export function sendable(reply: FastifyReply, answer: unknown, unread: UnsentBytesLimiter): unknown {
  if (isShort(answer, largestAtOnce)) return answer
  const stream = Readable.from(jsonChunks(answer), { objectMode: false, highWaterMark: 64 * 1024 })
  const release = unread.hold(reply.raw.socket, jsonSize(answer, Infinity))
  reply.raw.once('close', release)
  reply.type('application/json; charset=utf-8')
  return stream
}

/** The answer with all its parts as values: for a check, which wants to see all of it. */
export async function asValues(answer: unknown): Promise<unknown> {
  if (answer instanceof JsonText) return answer.value()
  if (Array.isArray(answer)) return Promise.all(answer.map(asValues))
  if (typeof answer !== 'object' || answer === null) return answer
  const entries = Object.entries(answer).map(async ([name, value]) => [name, await asValues(value)])
  return Object.fromEntries(await Promise.all(entries))
}

/** An answer that is written while it is read, and that is not JSON. */
export class Streamed {
  readonly headers: Record<string, string>
  readonly chunks: AsyncIterable<string | Uint8Array>

  constructor(headers: { 'content-type': string } & Record<string, string>, chunks: Streamed['chunks']) {
    this.headers = headers
    this.chunks = chunks
  }

  /** What the framework is to send: as fast as it is read. Where making it fails, the connection is cut. */
  sentBy(reply: FastifyReply): Readable {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...this.headers })
    return Readable.from(this.bytes(), { objectMode: false, highWaterMark: 64 * 1024 })
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
}

export type ObserveCall = (request: FastifyRequest, status: number, code?: string) => void

/** Counted and logged when the answer is ready. Waiting for it to be on the wire would cost as much again. */
export function createRequestObserver({ metrics, log }: { metrics: Metrics; log: Log }): ObserveCall {
  return (request, status, code) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { id: requestId, method, team } = request
    const ms = performance.now() - request.began
    metrics.call({ method, route, status, ms })
    log.info({ requestId, method, route, status, ms: Math.round(ms), team: team?.name, code }, 'call')
  }
}
