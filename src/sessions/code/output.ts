import type { Readable } from 'node:stream'
import { listener } from '../../platform/functions.ts'
import { createThrottle } from '../outbox.ts'

export type Output = ReturnType<typeof createOutput>

/** Always reads, so that no writer blocks on a full pipe, at a limited rate. Output between calls is dropped. */
export function createOutput(
  source: Readable,
  limits: Record<'maxStoredBytes' | 'maxReadBytes', number> & { onFlood(): void },
) {
  const { maxStoredBytes, maxReadBytes, onFlood } = limits
  const throttle = createThrottle(source)
  let readBytes = 0
  let chunks: Buffer[] = []
  let size = 0
  let isTruncated = false
  let isOpen = false
  let marker: { bytes: Buffer; resolve(): void } | undefined
  // Possible beginning of the marker, which is buffered until more data arrives.
  let tail = Buffer.alloc(0)

  function append(bytes: Buffer): void {
    const part = bytes.subarray(0, maxStoredBytes - size)
    if (part.length < bytes.length) isTruncated = true
    if (part.length === 0) return
    // The bytes are copied: the chunk may be a small part of a large buffer, which would stay in memory with it.
    chunks.push(Buffer.from(part))
    size += part.length
  }

  const onData = (chunk: Buffer) => {
    throttle(chunk.length)
    readBytes += chunk.length
    if (readBytes > maxReadBytes && readBytes - chunk.length <= maxReadBytes) onFlood()
    if (!isOpen) return
    if (!marker) return append(chunk)
    const bytes = Buffer.concat([tail, chunk])
    const index = bytes.indexOf(marker.bytes)
    const end = index < 0 ? Math.max(0, bytes.length - marker.bytes.length + 1) : index
    append(bytes.subarray(0, end))
    tail = index < 0 ? bytes.subarray(end) : Buffer.alloc(0)
    if (index < 0) return
    isOpen = false
    marker.resolve()
  }
  // A pipe that fails ends the process at its other end.
  source.on(
    'data',
    listener(onData, () => source.destroy()),
  )

  return {
    begin() {
      readBytes = 0
      ;[chunks, size, isTruncated, isOpen, marker, tail] = [[], 0, false, true, undefined, Buffer.alloc(0)]
    },
    waitForMarker(token: string): Promise<void> {
      return new Promise((resolve) => {
        marker = { bytes: Buffer.from(token), resolve }
      })
    },
    take(): { text: string; isTruncated: boolean } {
      isOpen = false
      append(tail)
      // A cut may split a character; its first part is removed.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      const text = decoder.decode(Buffer.concat(chunks), { stream: isTruncated })
      ;[chunks, tail] = [[], Buffer.alloc(0)]
      return { text, isTruncated }
    },
  }
}
