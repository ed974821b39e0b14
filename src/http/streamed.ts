import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

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
