import { isThing, type Thing, type Value } from '../structured-data/thing.ts'
import { phraseOf, singular, words } from '../vocabulary/words.ts'
import type { FieldNames } from './field-names.ts'
import { nearness } from './near-names.ts'

/** A property that may be a field. */
export interface Candidate {
  path: string
  values: Value[]
  score: number
  isOfType: boolean
}

const holders = ['additionalProperty', 'identifier', 'amenityFeature', 'valueReference']
const mostProperties = 200
const leastNearness = 0.6
const sure = 0.9

/** Properties that a thing names itself: `additionalProperty: { name: "Wattage", value: 900, unitText: "W" }`. */
export function namedValues(thing: Thing, at: string, names: FieldNames): Candidate[] {
  return holders.flatMap((holder) =>
    (thing.properties.get(holder) ?? [])
      .filter(isThing)
      .slice(0, mostProperties)
      .flatMap((property): Candidate[] => {
        const [label] = property.properties.get('name') ?? property.properties.get('propertyID') ?? []
        const values = statedValues(property)
        if (typeof label !== 'string' || values.length === 0) return []
        const said = words(label).map(singular)
        const near = nearness(names, said)
        const score =
          Math.max(names.phrases.get(phraseOf(said)) ?? 0, near >= leastNearness ? near : 0) * sure
        return score < 0.5 ? [] : [{ path: `${at}.${holder}`, values, score, isOfType: false }]
      }),
  )
}

function statedValues({ properties }: Thing): Value[] {
  const [value] = properties.get('value') ?? []
  const [unit] = properties.get('unitText') ?? []
  if (value === undefined || isThing(value)) return []
  return [typeof unit === 'string' && typeof value !== 'boolean' ? `${value} ${unit}` : value]
}

/** Hosts identify other addresses of a thing: `linkedin` among those of `sameAs`. */
export function addressesOf(thing: Thing, at: string, { kind, own }: FieldNames): Candidate[] {
  if (kind !== 'address') return []
  const values = (thing.properties.get('sameAs') ?? []).filter((value) => {
    const labels = typeof value === 'string' ? (URL.parse(value)?.hostname ?? '').split('.') : []
    return labels.some((label) => own.includes(label))
  })
  return values.length === 0 ? [] : [{ path: `${at}.sameAs`, values, score: sure, isOfType: false }]
}
