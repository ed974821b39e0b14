import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import { type Elements, labelIn } from './elements.ts'
import { findPlaces } from './find-places.ts'
import { hashText } from './hash.ts'
import { type Candidate, type FieldMemory, isUsable, nameOf, type Template } from './memory.ts'
import { fitsGuards, readPlace } from './read-place.ts'
import { comparableValue, hashOfValue } from './same-value.ts'

/** What one page says about places, to be added to what is known. */
export interface Observation {
  /** The address of the page, hashed. */
  page: number
  sketch: number[]
  /** Empty where nothing is known for sure. */
  fields: Record<string, FieldObservation>
  /** Titles that only the head states, by the paths of their fields. */
  titles: Record<string, string>
}

export interface FieldObservation {
  /** The value, hashed; undefined where the page does not state it. */
  value: number | undefined
  /** Places that have the value. */
  found: Candidate[]
  /** Names of known places that have another one. */
  failed: string[]
  /** The language model was asked, and found nothing. */
  isUnanswered: boolean
  /** Structured data states it. */
  isInData: boolean
  /** What the rules would have said without that. */
  rules: 'right' | 'wrong' | undefined
}

/** What is known for sure of a field of a page: its value, or that there is none. */
export interface Lesson {
  slot: Slot
  value: unknown
  isUnanswered: boolean
  isInData: boolean
  rules: FieldObservation['rules']
}

/** Holds what is known of a page against the places of its template, and looks for further ones. */
export function observe(
  elements: Elements,
  lessons: readonly Lesson[],
  { template, seeksMore }: { template: Template | undefined; seeksMore: boolean },
  context: PageContext,
): Record<string, FieldObservation> {
  const stated = lessons.filter(({ value }) => value !== undefined)
  const places = seeksMore ? findPlaces(elements, stated, context) : new Map<string, Candidate[]>()
  const values = new Set(stated.map(({ value }) => hashText(labelIn(String(value)))))
  values.delete(hashText(''))
  const observed = lessons.map(
    ({ slot, value, isUnanswered, isInData, rules }): [string, FieldObservation] => {
      const field =
        template && Object.hasOwn(template.fields, slot.path) ? template.fields[slot.path] : undefined
      const known = field ? heldAgainst(elements, { field, template }, { slot, value }, context) : noPlaces
      const found = new Map(
        [...known.found, ...(places.get(slot.path) ?? [])].map((one) => [nameOf(one), one]),
      )
      return [
        slot.path,
        {
          value: value === undefined ? undefined : hashOfValue(value),
          found: [...found.values()].map((one) => withoutOthers(one, values)),
          failed: known.failed,
          ...{ isUnanswered, isInData },
          // Data that the page does not show says nothing about what it shows.
          rules:
            found.size > 0 || (value === undefined && field && field.places.length > 0) ? rules : undefined,
        },
      ]
    },
  )
  // Entries become own properties, whatever they are called.
  return Object.fromEntries(observed)
}

const noPlaces = { found: [], failed: [] }

function heldAgainst(
  elements: Elements,
  { field, template }: { field: FieldMemory; template: Template | undefined },
  { slot, value }: { slot: Slot; value: unknown },
  context: PageContext,
): { found: Candidate[]; failed: string[] } {
  const found: Candidate[] = []
  const failed: string[] = []
  const wanted = comparableValue(value)
  for (const place of field.places) {
    const read = readPlace(elements, place, slot, context)
    if (!read) continue
    if (value !== undefined && comparableValue(read.found.value) === wanted) {
      found.push({ ...place, guards: read.guards })
    } else if (fitsGuards(place.guards, read.guards)) {
      // Where nothing is stated, only a place that would have been used is wrong.
      if (value !== undefined || (template && isUsable(place, template))) failed.push(nameOf(place))
    }
  }
  return { found, failed }
}

/** The value of another field is no label. */
function withoutOthers(candidate: Candidate, values: ReadonlySet<number>): Candidate {
  const { locator, attribute, part, guards } = candidate
  const isValue = guards.label !== null && values.has(guards.label)
  return { locator, attribute, part, guards: isValue ? { ...guards, label: null } : guards }
}
