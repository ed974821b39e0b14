const bits = 64
/** Texts with fewer words are alike by chance. */
const leastTerms = 20
/** Runs of this many words are compared, so that their order counts. */
const runLength = 3

/** A hash that differs in few bits where two texts differ in few words (simhash), in hex; empty for a short text. */
export function fingerprintOf(terms: readonly string[]): string {
  if (terms.length < leastTerms) return ''
  const weights = new Int32Array(bits)
  const lows = Int32Array.from(terms, (term) => hashOf(term, seedOfLow))
  const highs = Int32Array.from(terms, (term) => hashOf(term, seedOfHigh))
  const step = Math.max(1, Math.floor(terms.length / 2000))
  for (let at = 0; at + runLength <= terms.length; at += step) {
    addBits(hashOfRun(lows, at), weights, 0)
    addBits(hashOfRun(highs, at), weights, 32)
  }
  const bytes = Buffer.alloc(bits / 8)
  for (let bit = 0; bit < bits; bit += 1)
    if ((weights[bit] ?? 0) > 0) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  return bytes.toString('hex')
}

const seedOfLow = 0x811c9dc5
const seedOfHigh = 0x9747b28c

/** Nobody gains by texts that only look alike, so the hash need be no more than fast and even (FNV-1a). */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

function hashOfRun(hashes: Int32Array, first: number): number {
  let hash = 0
  for (let at = first; at < first + runLength; at += 1) hash = Math.imul(hash ^ (hashes[at] ?? 0), 0x01000193)
  return mixed(hash)
}

/** Every bit of a hash decides about half of the bits of the result (the end of MurmurHash3). */
function mixed(hash: number): number {
  let rest = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  rest = Math.imul(rest ^ (rest >>> 13), 0xc2b2ae35)
  return rest ^ (rest >>> 16)
}

function addBits(hash: number, weights: Int32Array, first: number): void {
  for (let bit = 0; bit < 32; bit += 1)
    weights[first + bit] = (weights[first + bit] ?? 0) + ((hash >>> bit) & 1 ? 1 : -1)
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
