import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import { type FrameOptions, openFrames } from './frames.ts'

/** A sender whose bytes arrive in chunks of this size, and what the receiver made of them. */
function scene(chunkBytes: number, changes: Partial<FrameOptions> = {}) {
  const values: unknown[] = []
  const errors: string[] = []
  const options = {
    ...{
      maxSentBytes: 10_000,
      maxReceivedBytes: 10_000,
      onValue: (value: unknown) => void values.push(value),
    },
    onViolation: ({ message }: Error) => void errors.push(message),
    ...changes,
  }
  const [near, far] = duplexPair()
  const [incoming, receiver] = duplexPair()
  const sender = openFrames(near, options)
  openFrames(receiver, options)
  far.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += chunkBytes) incoming.write(bytes.subarray(at, at + chunkBytes))
  })
  return { sender, incoming, values, errors }
}

it.each([1, 3, 1000])('values arrive whole and in order in chunks of %i bytes', async (chunkBytes) => {
  const { sender, values } = scene(chunkBytes)
  const sent = ['', 'x'.repeat(999), { deep: [Int8Array.of(1, -1)] }, undefined, 7]
  for (const value of sent) sender.send(value)
  await expect.poll(() => values.length).toBe(sent.length)
  expect(values).toEqual(sent)
})

it('several frames in one chunk arrive', async () => {
  const { sender, values } = scene(100_000)
  for (let value = 0; value < 50; value += 1) sender.send(value)
  await expect.poll(() => values.length).toBe(50)
})

it('a frame that names a larger length than allowed is refused before its bytes arrive', async () => {
  const { incoming, errors } = scene(10)
  incoming.write(Buffer.from([0xff, 0xff, 0xff, 0x7f]))
  await expect.poll(() => errors).toEqual(['A frame of 2147483647 bytes is larger than 10000.'])
})

it('bytes that are not a serialised value are refused', async () => {
  const { incoming, values, errors } = scene(10)
  incoming.write(Buffer.from([2, 0, 0, 0, 1, 2]))
  await expect.poll(() => errors.length).toBe(1)
  expect(values).toEqual([])
})

it('a value that is too large is not sent', () => {
  const { sender } = scene(10, { maxSentBytes: 10 })
  expect(() => sender.send('x'.repeat(20))).toThrow('larger than 10')
})
