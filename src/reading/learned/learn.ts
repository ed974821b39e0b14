import { withTitle } from './affixes.ts'
import { templateOf, withSketch } from './fingerprint.ts'
import {
  type Candidate,
  type FieldMemory,
  type Guards,
  type LearnedMemory,
  type LearnedPlace,
  type LocatorKind,
  leastSeen,
  leastTaught,
  mostCandidates,
  mostFields,
  mostPlaces,
  mostTemplates,
  mostValues,
  nameOf,
  type Template,
} from './memory.ts'
import type { FieldObservation, Observation } from './observe.ts'

/** The last pages are remembered, so that one that is read again is not another one. */
const mostRemembered = 32

/** What is known, with what one page more has shown. The order in which pages come hardly matters. */
export function learn(memory: LearnedMemory, observation: Observation): LearnedMemory {
  const known = templateOf(memory.templates, observation.sketch)
  const template = withSketch(known ?? newTemplate(), observation.sketch)
  const isTaught = Object.keys(observation.fields).length > 0
  const isNew = isTaught && !template.taughtBy.includes(observation.page)
  const fields = new Map(Object.entries(template.fields))
  for (const [path, observed] of Object.entries(observation.fields)) {
    const field = fields.get(path)
    if (!field && fields.size >= mostFields) continue
    fields.set(path, learnField(field ?? newField(), observed, { isNew, taught: template.taught }))
  }
  for (const [path, title] of Object.entries(observation.titles)) {
    const field = fields.get(path) ?? newField()
    const affixes = withTitle(field.affixes, title, observation.page)
    if (fields.has(path) || fields.size < mostFields) fields.set(path, { ...field, affixes })
  }
  const learned: Template = {
    ...template,
    taught: template.taught + (isNew ? 1 : 0),
    taughtBy: [...(isNew ? [observation.page] : []), ...template.taughtBy].slice(0, mostRemembered),
    fields: Object.fromEntries(fields),
  }
  const others = memory.templates.filter((other) => other !== known)
  return { version: 1, templates: [learned, ...others].slice(0, mostTemplates) }
}

const newTemplate = (): Template => ({ sketch: [], pages: 0, taughtBy: [], taught: 0, fields: {} })

const newField = (): FieldMemory => ({ places: [], absent: 0, inData: 0, rules: { right: 0, wrong: 0 } })

function learnField(
  field: FieldMemory,
  observed: FieldObservation,
  { isNew, taught }: { isNew: boolean; taught: number },
): FieldMemory {
  const places = new Map(field.places.map((place) => [nameOf(place), place]))
  for (const candidate of observed.found) {
    const name = nameOf(candidate)
    places.set(name, confirmed(places.get(name), candidate, { value: observed.value ?? 0, isNew }))
  }
  for (const name of observed.failed) {
    const place = places.get(name)
    if (place) places.set(name, { ...place, failed: place.failed + 1 })
  }
  const { rules, inData } = field
  return {
    ...field,
    places: kept([...places.values()], taught),
    absent: absentAfter(field.absent, observed, isNew),
    inData: inData + (isNew && observed.isInData ? 1 : 0),
    rules: isNew && observed.rules ? { ...rules, [observed.rules]: rules[observed.rules] + 1 } : rules,
  }
}

/** A page that is read again is no further one. */
function absentAfter(before: number, { isUnanswered, value }: FieldObservation, isNew: boolean): number {
  if (isUnanswered) return before + (isNew ? 1 : 0)
  return value === undefined ? before : 0
}

function confirmed(
  place: LearnedPlace | undefined,
  candidate: Candidate,
  { value, isNew }: { value: number; isNew: boolean },
): LearnedPlace {
  if (!place) return { ...candidate, seen: 1, failed: 0, values: [value] }
  const isKnown = place.values.includes(value)
  // A page that is read again proves something only if it has changed.
  const counts = isNew || !isKnown
  return {
    ...place,
    seen: place.seen + (counts ? 1 : 0),
    values: isKnown ? place.values : [...place.values, value].slice(-mostValues),
    guards: common(place.guards, candidate.guards),
  }
}

function common(one: Guards, other: Guards): Guards {
  const same = <Mark>(left: Mark, right: Mark) => (left === right ? left : null)
  return {
    label: same(one.label, other.label),
    before: same(one.before, other.before),
    after: same(one.after, other.after),
    longest: Math.max(one.longest, other.longest),
    hasDigits: one.hasDigits || other.hasDigits,
  }
}

const preference: Record<LocatorKind, number> = { label: 0, path: 1, near: 2, tags: 3 }

/** Those that were wrong are forgotten, then those that were seen least. */
function kept(places: LearnedPlace[], taught: number): LearnedPlace[] {
  const right = places
    .filter(({ seen, failed }) => failed === 0 || seen >= failed * 3)
    .sort(
      (one, other) =>
        other.seen - other.failed * 3 - (one.seen - one.failed * 3) ||
        preference[one.locator.by] - preference[other.locator.by],
    )
  const isSettled = taught > leastTaught && (right[0]?.seen ?? 0) > leastSeen
  return right.slice(0, isSettled ? mostPlaces : mostCandidates)
}
