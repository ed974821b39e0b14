import limits from './bounds.json' with { type: 'json' }

/**
 * The limits of one request, by name: the maximum and what it limits. An error names the bound, OpenAPI shows it, and
 * `docs/limits.md` lists it.
 */
export const bounds = limits

export type BoundName = keyof typeof bounds

/** The error text. */
export function exceeds(name: BoundName): string {
  const { most, unit } = bounds[name]
  return `More than ${name} allows: at most ${most} ${unit}.`
}

/** The bound that an error text of `exceeds` names. */
export function boundNamed(text: string): { bound: BoundName; most: number } | undefined {
  const name = /\bMAX_[A-Z_]+\b/.exec(text)?.[0]
  const bound = boundNames.find((candidate) => candidate === name)
  return bound && { bound, most: bounds[bound].most }
}

const boundNames = Object.keys(bounds) as BoundName[]
