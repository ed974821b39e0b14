import { addAbortListener } from 'node:events'
import { bounds } from '../platform/bounds.ts'
import { jsonChunks } from '../platform/json/write-json.ts'
import { Streamed } from './send-response.ts'
import type { WatchMessage } from './watch.ts'

const commentIntervalMs = 15_000
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

interface Event {
  type: string
  data: object
}

/** `join` subscribes before anything is sent, so its errors become normal error responses. */
export async function eventStream(
  join: (onEvent: (event: Event) => void) => Promise<() => void>,
  signal: AbortSignal,
): Promise<Streamed> {
  const queue = createEventQueue()
  const unsubscribe = await join(queue.add)
  async function* chunks(): AsyncGenerator<string> {
    try {
      yield ': listening\n\n'
      while (!signal.aborted && !queue.hasOverflown()) {
        const event = await queue.next(signal)
        yield event ? `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n` : ': still here\n\n'
      }
    } finally {
      unsubscribe()
    }
  }
  // Also for a client that disconnects before the first byte: it never starts the generator above.
  addAbortListener(signal, unsubscribe)
  return new Streamed(headers, chunks())
}

function createEventQueue() {
  const waiting: Event[] = []
  let isOverflown = false
  let wake = () => {}
  return {
    add(event: Event): void {
      if (waiting.length >= bounds.MAX_WAITING_EVENTS.most) {
        waiting.length = 0
        isOverflown = true
      }
      if (!isOverflown) waiting.push(event)
      wake()
    },
    hasOverflown: () => isOverflown,
    async next(signal: AbortSignal): Promise<Event | undefined> {
      if (waiting.length === 0 && !signal.aborted) {
        const woken = Promise.withResolvers<void>()
        wake = woken.resolve
        const timer = setTimeout(woken.resolve, commentIntervalMs)
        signal.addEventListener('abort', wake, { once: true })
        await woken.promise
        signal.removeEventListener('abort', wake)
        clearTimeout(timer)
      }
      return waiting.shift()
    },
  }
}

/** Awaits the first message, so that an unknown job gets a normal error response. */
export async function messageStream(
  messages: AsyncGenerator<WatchMessage>,
  signal: AbortSignal,
): Promise<Streamed> {
  const first = await messages.next()
  // A client that disconnects before the first byte never starts the loop below, which would end the generator.
  addAbortListener(signal, () => void messages.return(undefined).catch(() => undefined))
  async function* chunks(): AsyncGenerator<string | Uint8Array> {
    let next: Promise<IteratorResult<WatchMessage>> | undefined = Promise.resolve(first)
    while (!signal.aborted) {
      // Create the promise only when it is awaited; otherwise its rejection would be unhandled.
      next ??= messages.next()
      const result = await waitOrTimeout(next, commentIntervalMs)
      if (result === undefined) {
        // The comment is sent only between events, never inside an event, because its data may be long and read slowly.
        yield ': still here\n\n'
        continue
      }
      next = undefined
      if (result.done) return
      const { type, data } = result.value
      yield `event: ${type}\ndata: `
      yield* jsonChunks(data)
      yield '\n\n'
    }
  }
  return new Streamed(headers, chunks())
}

export async function waitOrTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(timeout.resolve, ms, undefined)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
