import type { Readable } from 'node:stream'
import { listener } from '../../platform/functions.ts'
import { pace } from '../outbox.ts'

export interface Output {
  /** From now on the output belongs to a call. */
  begin(): void
  /** Settles when everything before this secret word has been read. */
  endsAt(word: string): Promise<void>
  /** The kept part of the output of the call. */
  take(): { text: string; isTruncated: boolean }
}

export interface OutputLimits {
  /** Bytes that are kept per call. */
  kept: number
  /** Bytes that are read during and after one call, before the code is ended. */
  read: number
  onFlood(): void
}

/**
 * One output stream of a language. It is always read, so that no writer blocks on a full pipe; output between two
 * calls, from code that an earlier call left running, is dropped. Reading takes time from all others, so its rate is limited.
 */
export function output(source: Readable, { kept: maxBytes, read: maxRead, onFlood }: OutputLimits): Output {
  const rest = pace(source)
  let read = 0
  let kept: Buffer[] = []
  let size = 0
  let isTruncated = false
  let isOpen = false
  let mark: { bytes: Buffer; found(): void } | undefined
  // A possible beginning of the mark is held back until more data arrives.
  let tail = Buffer.alloc(0)

  function keep(bytes: Buffer): void {
    const part = bytes.subarray(0, maxBytes - size)
    if (part.length < bytes.length) isTruncated = true
    if (part.length === 0) return
    // A copy: the chunk may be a small part of a large buffer, which would stay in memory with it.
    kept.push(Buffer.from(part))
    size += part.length
  }

  const hear = (chunk: Buffer) => {
    rest(chunk.length)
    read += chunk.length
    if (read > maxRead && read - chunk.length <= maxRead) onFlood()
    if (!isOpen) return
    if (!mark) return keep(chunk)
    const bytes = Buffer.concat([tail, chunk])
    const at = bytes.indexOf(mark.bytes)
    const end = at < 0 ? Math.max(0, bytes.length - mark.bytes.length + 1) : at
    keep(bytes.subarray(0, end))
    tail = at < 0 ? bytes.subarray(end) : Buffer.alloc(0)
    if (at < 0) return
    isOpen = false
    mark.found()
  }
  // A pipe that is gone is the end of what runs behind it.
  source.on(
    'data',
    listener(hear, () => source.destroy()),
  )

  return {
    begin() {
      read = 0
      ;[kept, size, isTruncated, isOpen, mark, tail] = [[], 0, false, true, undefined, Buffer.alloc(0)]
    },
    endsAt(word) {
      return new Promise((found) => {
        mark = { bytes: Buffer.from(word), found }
      })
    },
    take() {
      isOpen = false
      keep(tail)
      const text = wholeText(Buffer.concat(kept), isTruncated)
      ;[kept, tail] = [[], Buffer.alloc(0)]
      return { text, isTruncated }
    },
  }
}

/** A cut may split a character; its first part is removed. */
function wholeText(bytes: Buffer, isTruncated: boolean): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes, { stream: isTruncated })
}
