/** What a number counts, where the name of a field says so: `totalTimeMinutes`, `weight_kg`. */
export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'percent' | 'other'

const units = new Map<string, Unit>([
  ...(['second', 'sec'] as const).map((word) => [word, 'second'] as const),
  ...(['minute', 'min'] as const).map((word) => [word, 'minute'] as const),
  ...(['hour', 'hr'] as const).map((word) => [word, 'hour'] as const),
  ...(['day'] as const).map((word) => [word, 'day'] as const),
  ...(['percent', 'pct', 'percentage'] as const).map((word) => [word, 'percent'] as const),
  ...[
    'kg',
    'gram',
    'lb',
    'cm',
    'mm',
    'inch',
    'km',
    'mile',
    'sqft',
    'sqm',
    'm2',
    'usd',
    'eur',
    'gbp',
    'kw',
    'hp',
  ].map((word) => [word, 'other'] as const),
])

/** The unit at the end of the words of a name. */
export function unitOf(words: readonly string[]): Unit | undefined {
  return units.get(words.at(-1) ?? '')
}

/** The unit that a description names: "Total time in minutes". */
export function describedUnit(words: readonly string[]): Unit | undefined {
  const at = words.findIndex((word, index) => words[index - 1] === 'in' && units.has(word))
  return at < 0 ? undefined : units.get(words[at] ?? '')
}
