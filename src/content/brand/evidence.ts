import { type Colour, distance, toHex } from './colour.ts'

/** The entries that have something in them: a key without evidence is left out. */
export function withEvidence<Given extends object>(given: Given): Evident<Given> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && !isEmpty(value))
  // What is left of the keys is exactly those with a value, which is what the type says.
  return Object.fromEntries(entries) as Evident<Given>
}

type Evident<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

export interface Vote {
  colour: Colour
  weight: number
}

/** Shades nearer than this are one colour written twice. */
const sameColour = 0.03
const maxShades = 300

/** Votes for colours that look alike counted together, under the shade that has most; most votes first. */
export function tally(votes: Vote[]): Vote[] {
  const shades = new Map<string, Vote>()
  for (const { colour, weight } of votes) {
    const known = shades.get(toHex(colour))
    if (known) known.weight += weight
    else shades.set(toHex(colour), { colour, weight })
  }
  const counted: Vote[] = []
  for (const shade of [...shades.values()].sort(byWeight).slice(0, maxShades)) {
    const like = counted.find(({ colour }) => distance(colour, shade.colour) < sameColour)
    if (like) like.weight += shade.weight
    else counted.push(shade)
  }
  return counted.sort(byWeight)
}

/** The value with the greatest weight altogether. */
export function commonest<Value>(votes: { value: Value; weight: number }[]): Value | undefined {
  return ranked(votes)[0]?.value
}

/** Values by their weight altogether, greatest first. */
export function ranked<Value>(votes: { value: Value; weight: number }[]): { value: Value; weight: number }[] {
  const weights = new Map<Value, number>()
  for (const { value, weight } of votes) weights.set(value, (weights.get(value) ?? 0) + weight)
  return [...weights].map(([value, weight]) => ({ value, weight })).sort(byWeight)
}

function byWeight(one: { weight: number }, other: { weight: number }): number {
  return other.weight - one.weight
}
