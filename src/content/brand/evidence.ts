import { type Colour, distance, toHex } from './colour.ts'

export function omitEmpty<Given extends object>(record: Given): NonEmptyEntries<Given> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && !isEmpty(value))
  // The remaining keys are exactly the keys with a value, which matches the type.
  return Object.fromEntries(entries) as NonEmptyEntries<Given>
}

type NonEmptyEntries<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

export interface Vote {
  colour: Colour
  weight: number
}

const maxShadeDistance = 0.03
const maxShades = 300

/** Adds up votes for similar colours under the shade with the most votes. Returns them with the most votes first. */
export function tally(votes: Vote[]): Vote[] {
  const shades = new Map<string, Vote>()
  for (const { colour, weight } of votes) {
    const vote = shades.get(toHex(colour))
    if (vote) vote.weight += weight
    else shades.set(toHex(colour), { colour, weight })
  }
  const counted: Vote[] = []
  for (const shade of [...shades.values()].sort(byWeight).slice(0, maxShades)) {
    const similar = counted.find(({ colour }) => distance(colour, shade.colour) < maxShadeDistance)
    if (similar) similar.weight += shade.weight
    else counted.push(shade)
  }
  return counted.sort(byWeight)
}

export function findCommonest<Value>(votes: { value: Value; weight: number }[]): Value | undefined {
  return rankByWeight(votes)[0]?.value
}

export function rankByWeight<Value>(votes: { value: Value; weight: number }[]): typeof votes {
  const weights = new Map<Value, number>()
  for (const { value, weight } of votes) weights.set(value, (weights.get(value) ?? 0) + weight)
  return [...weights].map(([value, weight]) => ({ value, weight })).sort(byWeight)
}

export const countEach = <Value>(values: (Value | undefined)[]) =>
  values.flatMap((value) => (value === undefined ? [] : [{ value, weight: 1 }]))

export const tallyEach = (colours: (Colour | undefined)[]) =>
  tally(colours.flatMap((colour) => (colour ? [{ colour, weight: 1 }] : [])))

const byWeight = (left: { weight: number }, right: { weight: number }) => right.weight - left.weight
