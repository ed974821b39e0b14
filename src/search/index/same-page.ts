/** Ignores the scheme, `www.`, a trailing slash or `index.html`, and the fragment. */
export function pageKey(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '')
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`
}

/** Shorter texts are similar by chance. */
const minTerms = 20
/** Number of consecutive words that are hashed together, so that the word order matters. */
const runLength = 3
const sampledRuns = 2000
const highSeed = 0x9747b28c

/** Returns a hash in hex that differs in few bits if two texts differ in few words (simhash). */
export function fingerprintOf(terms: readonly string[]): string {
  if (terms.length < minTerms) return ''
  const hashes = new Int32Array(terms.length)
  for (let at = 0; at < terms.length; at += 1) hashes[at] = hashText(terms[at] ?? '')
  const step = Math.max(1, Math.floor(terms.length / sampledRuns))
  const runs = Math.floor((terms.length - runLength) / step) + 1
  const counts = new Int32Array(64)
  const lanes = new Uint32Array(16)
  for (let run = 0; run < runs; run += 1) {
    let hash = 0
    for (let at = run * step; at < run * step + runLength; at += 1) hash = combine(hash, hashes[at] ?? 0)
    const [low, high] = [mix(hash), mix(hash ^ highSeed)]
    for (let bit = 0; bit < 8; bit += 1) {
      lanes[bit] = (lanes[bit] ?? 0) + ((low >>> bit) & fourLowestBits)
      lanes[8 + bit] = (lanes[8 + bit] ?? 0) + ((high >>> bit) & fourLowestBits)
    }
    if (run % maxPerLane === maxPerLane - 1 || run === runs - 1) addLanes(lanes, counts)
  }
  const halves = new Int32Array(2)
  for (const [bit, count] of counts.entries())
    if (2 * count > runs) halves[bit >> 5] = (halves[bit >> 5] ?? 0) | (1 << bit)
  return Buffer.from(halves.buffer).toString('hex')
}

const fourLowestBits = 0x01010101
const maxPerLane = 255

/** A lane counts four bits of a hash, each in one byte: lane 1 counts the bits 1, 9, 17 and 25. */
function addLanes(lanes: Uint32Array, counts: Int32Array): void {
  for (const [lane, sums] of lanes.entries())
    for (let byte = 0; byte < 4; byte += 1) {
      const bit = 32 * (lane >> 3) + 8 * byte + (lane & 7)
      counts[bit] = (counts[bit] ?? 0) + ((sums >>> (8 * byte)) & 255)
    }
  lanes.fill(0)
}

/** FNV-1a. Collisions are of no use to an attacker, so the function only has to be fast and uniform. */
const combine = (hash: number, next: number) => Math.imul(hash ^ next, 0x01000193)

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = combine(hash, text.charCodeAt(at))
  return mix(hash)
}

/** The finalizer of MurmurHash3. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const maxDifferentBits = 3

export function areNearlySame(one: string, other: string): boolean {
  if (one === '' || other === '') return false
  let different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let bits = 0
  for (; different > 0n && bits <= maxDifferentBits; different &= different - 1n) bits += 1
  return bits <= maxDifferentBits
}
