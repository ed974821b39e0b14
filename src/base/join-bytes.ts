import { setImmediate as nextTurn } from 'node:timers/promises'

const copiedAtOnce = 1024 * 1024

/**
 * Parts of a body as one. Many bytes are copied with turns of the loop between them, into memory that other threads can read
 * without a copy of their own.
 */
export async function joinBytes(parts: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const [first] = parts
  if (size <= copiedAtOnce) return parts.length === 1 && first ? first : Buffer.concat(parts, size)
  const whole = Buffer.from(new SharedArrayBuffer(size))
  let at = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += copiedAtOnce) {
      const piece = part.subarray(from, from + copiedAtOnce)
      whole.set(piece, at)
      const before = at
      at += piece.length
      if (Math.floor(before / copiedAtOnce) !== Math.floor(at / copiedAtOnce)) await nextTurn()
    }
  }
  return whole
}

/** The same bytes where other threads can read them; few bytes as they are. */
export async function shareBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : joinBytes([bytes], bytes.length)
}
