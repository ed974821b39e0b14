import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { JsonText } from '../base/json-text.ts'
import { isShort, jsonChunks, jsonSize } from '../base/write-json.ts'
import type { Unread } from './unread.ts'

/** An answer up to here is written at once: it takes a millisecond or two. */
const largestAtOnce = 256 * 1024

/**
 * What the framework is to send for an answer: the answer itself where it is short, else a stream that writes it while it
 * is read, so that no answer holds up the others and nothing of it waits that nobody takes.
 */
export function sendable(reply: FastifyReply, answer: unknown, unread: Unread): unknown {
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
