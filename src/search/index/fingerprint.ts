import { createHash } from 'node:crypto'

const bits = 64
/** Texts with fewer words are alike by chance. */
const leastTerms = 20
/** Runs of this many words are compared, so that their order counts. */
const runLength = 3

/** A hash that differs in few bits where two texts differ in few words (simhash), in hex; empty for a short text. */
export function fingerprintOf(terms: readonly string[]): string {
  if (terms.length < leastTerms) return ''
  const weights = new Int32Array(bits)
  const step = Math.max(1, Math.floor(terms.length / 2000))
  for (let at = 0; at + runLength <= terms.length; at += step) {
    const hash = createHash('md5')
      .update(terms.slice(at, at + runLength).join(' '))
      .digest()
    for (let bit = 0; bit < bits; bit += 1) {
      const isSet = ((hash[bit >> 3] ?? 0) >> (bit & 7)) & 1
      weights[bit] = (weights[bit] ?? 0) + (isSet ? 1 : -1)
    }
  }
  const bytes = Buffer.alloc(bits / 8)
  for (let bit = 0; bit < bits; bit += 1)
    if ((weights[bit] ?? 0) > 0) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  return bytes.toString('hex')
}

const mostDifferent = 3

/** Whether two texts are nearly the same. */
export function areNearlySame(one: string, other: string): boolean {
  if (one === '' || other === '') return false
  const [first, second] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')]
  let different = 0
  for (const [index, byte] of first.entries()) {
    let rest = byte ^ (second[index] ?? 0)
    for (; rest > 0; rest &= rest - 1) different += 1
  }
  return different <= mostDifferent
}
