/** How many numbers stand for a text. */
export const dimensions = 384

/** The mean of the vectors of all pieces of a text, as signed bytes: the largest number becomes 127 or -127. */
export function vectorOf(pieces: Float32Array): Int8Array {
  const sums = new Float64Array(dimensions)
  for (const [at, value] of pieces.entries()) sums[at % dimensions] = (sums[at % dimensions] ?? 0) + value
  const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0)
  return Int8Array.from(sums, (sum) => (largest === 0 ? 0 : Math.round((sum / largest) * 127)))
}

/** How alike two vectors are, from -1 to 1. Their lengths say nothing: the bytes of each have a scale of their own. */
export function similarity(one: Int8Array, other: Int8Array): number {
  let product = 0
  let ofOne = 0
  let ofOther = 0
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0
    const b = other[at] ?? 0
    product += a * b
    ofOne += a * a
    ofOther += b * b
  }
  return ofOne === 0 || ofOther === 0 ? 0 : product / Math.sqrt(ofOne * ofOther)
}
