import type { Readable } from 'node:stream'
import { listener } from '../../platform/functions.ts'

/** Untrusted code may write to the same stream: long lines are ignored, and `dataLimit` bounds the total. */
export function onLines(
  source: Readable,
  maxBytes: number,
  { onLine, dataLimit }: { onLine(line: string): void; dataLimit?: DataLimit },
): void {
  let parts: Buffer[] = []
  let size = 0
  const add = (bytes: Buffer) => {
    size += bytes.length
    if (size <= maxBytes) parts.push(bytes)
    else parts = []
  }
  const onData = (chunk: Buffer) => {
    let start = 0
    if (dataLimit?.isExceededBy(chunk.length, 0)) return
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end))
      if (parts.length > 0) {
        if (dataLimit?.isExceededBy(0, 1)) return
        onLine(Buffer.concat(parts).toString())
      }
      ;[parts, size, start] = [[], 0, end + 1]
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  // If a line cannot be processed, closing the pipe ends the process at its other end.
  source.on(
    'data',
    listener(onData, () => source.destroy()),
  )
}

export type DataLimit = ReturnType<typeof createDataLimit>

export function createDataLimit(limits: { bytes: number; lines: number }, onEnd: () => void) {
  let remaining = { ...limits }
  let hasEnded = false
  return {
    isExceededBy(bytes: number, lines: number): boolean {
      remaining.bytes -= bytes
      remaining.lines -= lines
      if (hasEnded || (remaining.bytes >= 0 && remaining.lines >= 0)) return hasEnded
      hasEnded = true
      onEnd()
      return true
    },
    reset() {
      remaining = { ...limits }
    },
  }
}

export type Message = NonNullable<ReturnType<typeof parseMessage>>

export function parseMessage(line: string) {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { ready, nonce, exitCode, result, isTruncated }: Record<string, unknown> = { ...parsed }
  return {
    isReady: ready === true,
    nonce: typeof nonce === 'string' ? nonce : undefined,
    exitCode: Number.isInteger(exitCode) ? Number(exitCode) & 0xff : 1,
    result: typeof result === 'string' ? result : null,
    isTruncated: isTruncated === true,
  }
}
