import type { Readable } from 'node:stream'

/**
 * Lines that come out of the sandbox, each at most so long. Code of strangers may write here too: what is too long or is
 * not the expected thing is passed over.
 */
export function onLines(source: Readable, mostBytes: number, heard: (line: string) => void): void {
  let parts: Buffer[] = []
  let size = 0
  const add = (bytes: Buffer) => {
    size += bytes.length
    if (size <= mostBytes) parts.push(bytes)
    else parts = []
  }
  source.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      if (parts.length > 0) heard(Buffer.concat(parts).toString())
      ;[parts, size, from] = [[], 0, end + 1]
    }
    if (from < chunk.length) add(chunk.subarray(from))
  })
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
