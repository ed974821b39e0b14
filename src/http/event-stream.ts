import { addAbortListener } from 'node:events'
import { bounds } from '../base/bounds.ts'
import { Streamed } from './streamed.ts'

const commentEvery = 15_000

interface Event {
  type: string
  data: object
}

/** Ends the stream: the caller has gone, or the service stops. */
type Ends = AbortSignal

/**
 * Server-sent events as they come. `join` is waited for before anything is sent, so what it throws is answered like any
 * error. A reader who leaves more events waiting than the bound allows is left.
 */
export async function eventStream(
  join: (hear: (event: Event) => void) => Promise<() => void>,
  signal: Ends,
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
  return new Streamed(
    { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    chunks(),
  )
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
