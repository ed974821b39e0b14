import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import { listener } from '../functions.ts'
import { MessageTooLargeError } from './child.ts'

export const parentDescriptor = 3

/** Maximum frame size in a child. The parent enforces smaller limits. */
export const maxFrameBytes = 0xffff_ffff

export interface Frames {
  send(value: unknown): void
}

export interface FrameOptions {
  maxSentBytes: number
  maxReceivedBytes: number
  onValue(value: unknown): void
  onViolation(error: Error): void
}

const headerBytes = 4

/** A frame is a length in four bytes, then the value. The length is checked before the value is buffered. */
export function openFrames(stream: Duplex, options: FrameOptions): Frames {
  const { maxSentBytes, maxReceivedBytes, onValue, onViolation } = options
  let chunks: Buffer[] = []
  let buffered = 0

  function takeBytes(length: number): Buffer | undefined {
    if (buffered < length) return undefined
    const [first = Buffer.alloc(0)] = chunks
    const joined = first.length >= length ? first : Buffer.concat(chunks)
    const rest = first.length >= length ? chunks.slice(1) : []
    chunks = joined.length > length ? [joined.subarray(length), ...rest] : rest
    buffered -= length
    return joined.subarray(0, length)
  }

  let expected: number | undefined
  function readFrames(): void {
    for (;;) {
      expected ??= takeBytes(headerBytes)?.readUInt32LE()
      if (expected === undefined) return
      if (expected > maxReceivedBytes)
        throw new MessageTooLargeError(`A frame of ${expected} bytes is larger than ${maxReceivedBytes}.`)
      const frame = takeBytes(expected)
      if (!frame) return
      expected = undefined
      onValue(deserialize(frame))
    }
  }

  const receive = (chunk: Buffer) => {
    chunks.push(chunk)
    buffered += chunk.length
    readFrames()
  }
  const reportViolation = (cause: unknown) => {
    stream.destroy()
    onViolation(cause instanceof Error ? cause : new Error(String(cause)))
  }
  stream.on('data', listener(receive, reportViolation))

  return {
    send(value) {
      const frame = serialize(value)
      if (frame.length > maxSentBytes)
        throw new MessageTooLargeError(`A value of ${frame.length} bytes is larger than ${maxSentBytes}.`)
      const header = Buffer.alloc(headerBytes)
      header.writeUInt32LE(frame.length)
      stream.write(header)
      stream.write(frame)
    },
  }
}
