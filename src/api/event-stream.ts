import { addAbortListener } from 'node:events'
import { bounds } from '../platform/bounds.ts'
import { jsonChunks } from '../platform/json/write-json.ts'
import { Streamed } from './send-response.ts'
import type { WatchMessage } from './watch.ts'

const commentEvery = 15_000
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

interface Event {
  type: string
  data: object
}

/**
 * Server-sent events as they come. `join` is waited for before anything is sent, so what it throws is answered like any
 * error. A reader who leaves more events waiting than the bound allows is left. The signal ends the stream: the caller
 * has gone, or the service stops.
 */
export async function eventStream(
  join: (hear: (event: Event) => void) => Promise<() => void>,
  signal: AbortSignal,
): Promise<Streamed> {
  const line = waitingLine()
  const leave = await join(line.add)
  async function* chunks(): AsyncGenerator<string> {
    try {
      yield ': listening\n\n'
      while (!signal.aborted && !line.isCut()) {
        const event = await line.next(signal)
        yield event ? `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n` : ': still here\n\n'
      }
    } finally {
      leave()
    }
  }
  // A client that leaves before the first byte, or during the join, never starts the loop above. The listener is called also if the
  // signal has aborted already.
  addAbortListener(signal, leave)
  return new Streamed(headers, chunks())
}

function waitingLine() {
  const waiting: Event[] = []
  let isCut = false
  let wake = () => {}
  return {
    add(event: Event): void {
      if (waiting.length >= bounds.MAX_WAITING_EVENTS.most) {
        waiting.length = 0
        isCut = true
      }
      if (!isCut) waiting.push(event)
      wake()
    },
    isCut: () => isCut,
    /** Undefined: nothing came for a while, or nothing will. */
    async next(signal: AbortSignal): Promise<Event | undefined> {
      if (waiting.length === 0 && !signal.aborted) {
        const woken = Promise.withResolvers<void>()
        wake = woken.resolve
        const timer = setTimeout(woken.resolve, commentEvery)
        signal.addEventListener('abort', wake, { once: true })
        await woken.promise
        signal.removeEventListener('abort', wake)
        clearTimeout(timer)
      }
      return waiting.shift()
    },
  }
}

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
  return new Streamed(headers, chunks())
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
