const none = 0x7fffffff

/**
 * Byte pair encoding: how many tokens the bytes of a word become when its most common neighbours are joined, again and
 * again. Bytes are the characters of a string, one each, so that a part of a word is found in a map as it is.
 */
export function countPairs(bytes: string, ranks: ReadonlyMap<string, number>): number {
  if (bytes.length < 2 || ranks.has(bytes)) return 1
  const { length } = bytes
  // By the place where a part begins: where the next one begins, and the rank of the two joined.
  const next = new Int32Array(length + 1)
  const pairs = new Int32Array(length + 1).fill(none)
  const join = (at: number) => {
    const middle = next[at] ?? length
    pairs[at] = middle < length ? (ranks.get(bytes.slice(at, next[middle])) ?? none) : none
  }
  for (let at = 0; at <= length; at += 1) next[at] = at + 1
  for (let at = 0; at < length; at += 1) join(at)
  for (let parts = length; ; parts -= 1) {
    let lowest = none
    let place = 0
    let before = 0
    for (let at = 0, last = 0; at < length; last = at, at = next[at] ?? length) {
      const rank = pairs[at] ?? none
      if (rank >= lowest) continue
      lowest = rank
      place = at
      before = last
    }
    if (lowest === none) return parts
    next[place] = next[next[place] ?? length] ?? length
    join(place)
    if (place > 0) join(before)
  }
}
