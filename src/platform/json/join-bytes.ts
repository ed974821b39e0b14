import { setImmediate as nextTurn } from 'node:timers/promises'

const copiedAtOnce = 1024 * 1024

/** Joins parts. Large copies yield to the event loop in between. */
export async function joinBytes(parts: readonly Uint8Array[], size: number): Promise<Buffer> {
  if (size <= copiedAtOnce) return Buffer.concat(parts, size)
  return copyInTurns(parts, Buffer.from(new ArrayBuffer(size)))
}

/** The same in shared memory, so that other threads read it without a copy; not used for small data. */
export async function joinShared(parts: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const [first] = parts
  if (size > copiedAtOnce) return copyInTurns(parts, Buffer.from(new SharedArrayBuffer(size)))
  return parts.length === 1 && first ? first : Buffer.concat(parts, size)
}

export async function shareBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : joinShared([bytes], bytes.length)
}

async function copyInTurns(parts: readonly Uint8Array[], whole: Buffer): Promise<Buffer> {
  let at = 0
  let sinceTurn = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += copiedAtOnce) {
      const piece = part.subarray(from, from + copiedAtOnce)
      whole.set(piece, at)
      at += piece.length
      sinceTurn += piece.length
      if (sinceTurn < copiedAtOnce) continue
      sinceTurn = 0
      await nextTurn()
    }
  }
  return whole
}
