export interface Random {
  /** From 0 up to 1. */
  share(): number
  /** Both ends can come. */
  integer(low: number, high: number): number
  pick<Value>(values: readonly Value[]): Value
  /** `count` different ones, in their order. */
  some<Value>(values: readonly Value[], count: number): Value[]
  chance(share: number): boolean
  shuffled<Value>(values: readonly Value[]): Value[]
}

/** The same seed gives the same numbers in every run. */
export function seeded(seed: string): Random {
  const next = numbers(hash(seed))
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const shuffled = <Value>(values: readonly Value[]): Value[] =>
    values
      .map((value) => ({ value, place: next() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ value }) => value)
  return {
    share: next,
    integer,
    pick(values) {
      const value = values[integer(0, values.length - 1)]
      if (value === undefined) throw new Error('There is nothing to pick from.')
      return value
    },
    some(values, count) {
      const chosen = new Set(shuffled(values.map((_, place) => place)).slice(0, count))
      return values.filter((_, place) => chosen.has(place))
    },
    chance: (share) => next() < share,
    shuffled,
  }
}

export const times = <Value>(count: number, make: (place: number) => Value): Value[] =>
  Array.from({ length: count }, (_, place) => make(place))

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return sum >>> 0
}

/** Mulberry32. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
