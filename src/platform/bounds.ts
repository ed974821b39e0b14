import limits from './bounds.json' with { type: 'json' }

/**
 * Limits of a request, by name: the maximum, its unit and a description. Error messages, the OpenAPI description and
 * `docs/limits.md` contain them.
 */
export const bounds = limits

export type BoundName = keyof typeof bounds

/** Returns the error message for an exceeded bound. */
export function formatBoundError(name: BoundName): string {
  const { most, unit } = bounds[name]
  return `More than ${name} allows: at most ${most} ${unit}.`
}

/** Returns the bound that an error message of `exceeds` names; undefined if it names none. */
export function findBound(text: string): { bound: BoundName; most: number } | undefined {
  const name = /\bMAX_[A-Z_]+\b/.exec(text)?.[0]
  const bound = boundNames.find((candidate) => candidate === name)
  return bound && { bound, most: bounds[bound].most }
}

const boundNames = Object.keys(bounds) as BoundName[]
