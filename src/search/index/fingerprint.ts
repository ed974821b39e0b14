/** Texts with fewer words are alike by chance. */
const leastTerms = 20
/** Runs of this many words are compared, so that their order counts. */
const runLength = 3

/** A hash that differs in few bits where two texts differ in few words (simhash), in hex; empty for a short text. */
export function fingerprintOf(terms: readonly string[]): string {
  if (terms.length < leastTerms) return ''
  const hashes = Int32Array.from(terms, hashOf)
  const step = Math.max(1, Math.floor(terms.length / 2000))
  const [lowCounts, highCounts] = [new Int32Array(planes), new Int32Array(planes)]
  let runs = 0
  for (let at = 0; at + runLength <= terms.length; at += step) {
    const hash = hashOfRun(hashes, at)
    countBits(mixed(hash), lowCounts)
    countBits(mixed(hash ^ seedOfHigh), highCounts)
    runs += 1
  }
  const words = Int32Array.of(majority(lowCounts, runs), majority(highCounts, runs))
  return Buffer.from(words.buffer).toString('hex')
}

/** Counts of 32 bits at once: bit n of all planes together is how often bit n was set. */
const planes = 13

function countBits(hash: number, counts: Int32Array): void {
  let carry = hash
  for (let plane = 0; carry !== 0 && plane < planes; plane += 1) {
    const before = counts[plane] ?? 0
    counts[plane] = before ^ carry
    carry &= before
  }
}

/** The bits that were set in more than half of the runs. */
function majority(counts: Int32Array, runs: number): number {
  let result = 0
  for (let bit = 0; bit < 32; bit += 1) {
    let count = 0
    for (const [plane, bits] of counts.entries()) count += ((bits >>> bit) & 1) << plane
    if (2 * count > runs) result |= 1 << bit
  }
  return result
}

const seedOfHigh = 0x9747b28c

/** Nobody gains by texts that only look alike, so the hash need be no more than fast and even (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

function hashOfRun(hashes: Int32Array, first: number): number {
  let hash = 0
  for (let at = first; at < first + runLength; at += 1) hash = Math.imul(hash ^ (hashes[at] ?? 0), 0x01000193)
  return hash
}

/** Every bit of a hash decides about half of the bits of the result (the end of MurmurHash3). */
function mixed(hash: number): number {
  let rest = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  rest = Math.imul(rest ^ (rest >>> 13), 0xc2b2ae35)
  return rest ^ (rest >>> 16)
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
