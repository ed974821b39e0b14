/**
 * Returns a pseudo-random number generator with the same sequence in every run, so that a harmful vector can be sent
 * again.
 */
export function randomSource(seed: number) {
  let state = seed >>> 0
  /** mulberry32 */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    isLucky: (chance: number) => next() < chance,
    oneOf: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    bytes: (length: number) => Uint8Array.from({ length }, () => below(256)),
  }
}

export type RandomSource = ReturnType<typeof randomSource>
