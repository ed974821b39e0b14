import { expect, it } from 'vitest'
import { readEvents } from './event-stream.ts'

const text =
  ': listening\n\nevent: job\ndata: {"at":"Grüße ☂"}\n\n: still here\n\ndata: {"lines":\ndata: 2}\n\nevent: cut\ndata: {"is'

/** Streams the text in chunks of `size` bytes, as a network splits it. */
function createStream(size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let offset = 0; offset < bytes.length; offset += size)
        controller.enqueue(bytes.subarray(offset, offset + size))
      controller.close()
    },
  })
}

it.each([1, 2, 7, 1000])(
  'reads events from chunks of %i bytes and drops an incomplete event',
  async (size) => {
    const events: unknown[] = []
    for await (const event of readEvents(createStream(size))) events.push(event)
    expect(events).toEqual([
      { type: 'job', data: { at: 'Grüße ☂' } },
      { type: 'message', data: { lines: 2 } },
    ])
  },
)

it('cancels the stream when the consumer stops reading', async () => {
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
