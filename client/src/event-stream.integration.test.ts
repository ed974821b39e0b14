import { expect, it } from 'vitest'
import { readEvents } from './event-stream.ts'

const text =
  ': listening\n\nevent: job\ndata: {"at":"Grüße ☂"}\n\n: still here\n\ndata: {"lines":\ndata: 2}\n\nevent: cut\ndata: {"is'

/** The same bytes in parts of a size, as networks cut them. */
function stream(size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
}

it.each([1, 2, 7, 1000])(
  'reads events that come in parts of %i bytes, and none that is cut',
  async (size) => {
    const events: unknown[] = []
    for await (const event of readEvents(stream(size))) events.push(event)
    expect(events).toEqual([
      { type: 'job', data: { at: 'Grüße ☂' } },
      { type: 'message', data: { lines: 2 } },
    ])
  },
)

it('gives the stream back when nobody reads on', async () => {
  let isCancelled = false
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const { data } of readEvents(source)) if (data === 1) break
  expect(isCancelled).toBe(true)
})
