import { addAbortListener } from 'node:events'
import { jsonChunks } from '../base/write-json.ts'
import { Streamed } from './streamed.ts'
import type { WatchMessage } from './watch.ts'

const commentEvery = 15_000

/**
 * Messages of a watched job as server-sent events. The first one is waited for: a job that is not there is answered like
 * anywhere else.
 */
export async function messageStream(
  messages: AsyncGenerator<WatchMessage>,
  signal: AbortSignal,
): Promise<Streamed> {
  const first = await messages.next()
  // A client that leaves before the first byte never starts the loop below, which would end the generator.
  addAbortListener(signal, () => void messages.return(undefined).catch(() => undefined))
  async function* chunks(): AsyncGenerator<string | Uint8Array> {
    let next: Promise<IteratorResult<WatchMessage>> | undefined = Promise.resolve(first)
    while (!signal.aborted) {
      // Asked for only where it is waited for: nobody would hear that it failed.
      next ??= messages.next()
      const found = await orSilence(next)
      if (found === undefined) {
        // Between events and never inside of one: its data may be long, and read slowly.
        yield ': still here\n\n'
        continue
      }
      next = undefined
      if (found.done) return
      const { type, data } = found.value
      yield `event: ${type}\ndata: `
      yield* jsonChunks(data)
      yield '\n\n'
    }
  }
  return new Streamed(
    { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    chunks(),
  )
}

/** Undefined: nothing came for a while. */
async function orSilence<Result>(next: Promise<Result>): Promise<Result | undefined> {
  const silence = Promise.withResolvers<undefined>()
  const timer = setTimeout(silence.resolve, commentEvery, undefined)
  try {
    return await Promise.race([next, silence.promise])
  } finally {
    clearTimeout(timer)
  }
}
