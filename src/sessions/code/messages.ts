import type { Readable } from 'node:stream'
import { listener } from '../../platform/functions.ts'

/**
 * Lines from the sandbox, with a maximum length. Untrusted code may write here too: lines that are too long or
 * unexpected are ignored, up to a limit.
 */
export function onLines(
  source: Readable,
  maxBytes: number,
  { heard, patience }: { heard(line: string): void; patience?: Patience },
): void {
  let parts: Buffer[] = []
  let size = 0
  const add = (bytes: Buffer) => {
    size += bytes.length
    if (size <= maxBytes) parts.push(bytes)
    else parts = []
  }
  const read = (chunk: Buffer) => {
    let from = 0
    if (patience?.endsWith(chunk.length, 0)) return
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      if (parts.length > 0) {
        if (patience?.endsWith(0, 1)) return
        heard(Buffer.concat(parts).toString())
      }
      ;[parts, size, from] = [[], 0, end + 1]
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  // A pipe that is gone is the end of what runs behind it.
  source.on(
    'data',
    listener(read, () => source.destroy()),
  )
}

/** The limit for unexpected data. */
export interface Patience {
  /** Counts bytes and lines; true once there were too many. */
  endsWith(bytes: number, lines: number): boolean
  renew(): void
}

/** Calls back once, when it has ended. */
export function patience(most: { bytes: number; lines: number }, onEnd: () => void): Patience {
  let left = { ...most }
  let hasEnded = false
  return {
    endsWith(bytes, lines) {
      left.bytes -= bytes
      left.lines -= lines
      if (hasEnded || (left.bytes >= 0 && left.lines >= 0)) return hasEnded
      hasEnded = true
      onEnd()
      return true
    },
    renew() {
      left = { ...most }
    },
  }
}

/** What a runner says in one line. */
export interface Message {
  isReady: boolean
  nonce: string | undefined
  exitCode: number
  result: string | null
  isTruncated: boolean
}

export function messageIn(line: string): Message | undefined {
  let said: unknown
  try {
    said = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null) return undefined
  const { ready, nonce, exitCode, result, isTruncated }: Record<string, unknown> = { ...said }
  return {
    isReady: ready === true,
    nonce: typeof nonce === 'string' ? nonce : undefined,
    exitCode: Number.isInteger(exitCode) ? Number(exitCode) & 0xff : 1,
    result: typeof result === 'string' ? result : null,
    isTruncated: isTruncated === true,
  }
}
