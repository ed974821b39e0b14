import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import { type FrameOptions, openFrames } from './frames.ts'

/** Creates a sender whose bytes arrive in chunks of this size, and lists the values and errors of the receiver. */
function setup(chunkBytes: number, changes: Partial<FrameOptions> = {}) {
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
    for (let offset = 0; offset < bytes.length; offset += chunkBytes)
      incoming.write(bytes.subarray(offset, offset + chunkBytes))
  })
  return { sender, incoming, values, errors }
}

it.each([1, 3, 1000])('values arrive complete and in order in chunks of %i bytes', async (chunkBytes) => {
  const { sender, values } = setup(chunkBytes)
  const sentValues = ['', 'x'.repeat(999), { deep: [Int8Array.of(1, -1)] }, undefined, 7]
  for (const value of sentValues) sender.send(value)
  await expect.poll(() => values.length).toBe(sentValues.length)
  expect(values).toEqual(sentValues)
})

it('several frames in one chunk arrive', async () => {
  const { sender, values } = setup(100_000)
  for (let value = 0; value < 50; value += 1) sender.send(value)
  await expect.poll(() => values.length).toBe(50)
})

it('a frame with a length above the limit is rejected before its bytes arrive', async () => {
  const { incoming, errors } = setup(10)
  incoming.write(Buffer.from([0xff, 0xff, 0xff, 0x7f]))
  await expect.poll(() => errors).toEqual(['A frame of 2147483647 bytes is larger than 10000.'])
})

it('bytes that are not a serialised value are rejected', async () => {
  const { incoming, values, errors } = setup(10)
  incoming.write(Buffer.from([2, 0, 0, 0, 1, 2]))
  await expect.poll(() => errors.length).toBe(1)
  expect(values).toEqual([])
})

it('send throws for a value that is too large', () => {
  const { sender } = setup(10, { maxSentBytes: 10 })
  expect(() => sender.send('x'.repeat(20))).toThrow('larger than 10')
})
