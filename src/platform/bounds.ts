import limits from './bounds.json' with { type: 'json' }

/** Error messages, the OpenAPI description and `docs/limits.md` contain these limits of a request. */
export const bounds = limits

export type BoundName = keyof typeof bounds

export function formatBoundError(name: BoundName): string {
  const { most, unit } = bounds[name]
  return `More than ${name} allows: at most ${most} ${unit}.`
}

export function findBound(text: string): { bound: BoundName; most: number } | undefined {
  const name = /\bMAX_[A-Z_]+\b/.exec(text)?.[0]
  const bound = boundNames.find((candidate) => candidate === name)
  return bound && { bound, most: bounds[bound].most }
}

const boundNames = Object.keys(bounds) as BoundName[]
