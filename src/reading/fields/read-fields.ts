import { hiddenParts } from '../../content/hidden.ts'
import type { Tree } from '../../content/tree/tree.ts'
import type { ObjectSpec } from '../schema/field-spec.ts'
import { type StateThings, stateThings } from '../structured-data/state-things.ts'
import { structuredData } from '../structured-data.ts'
import { namesOf } from './field-names.ts'
import { better, type Found } from './found.ts'
import { readAddresses } from './from-addresses.ts'
import { readFlags } from './from-flags.ts'
import { readLabels } from './from-labels.ts'
import { readNames } from './from-names.ts'
import { readPageFacts } from './from-page.ts'
import { readSections } from './from-sections.ts'
import { readShapes } from './from-shapes.ts'
import { readSorts } from './from-sorts.ts'
import { fieldOfThing, type ThingPlace, type ThingSource } from './from-things.ts'
import { type Lines, readLines } from './lines.ts'
import { mainHeading } from './main-heading.ts'
import { thingsByFit } from './main-thing.ts'
import { dropRepeated } from './one-place.ts'
import { lowerOthers } from './other-things.ts'
import type { PageContext } from './page-context.ts'
import { addCurrencies } from './prices.ts'
import { shownValues } from './shown-values.ts'
import { phraseIndex, slotsOf } from './slots.ts'
import { grounded, mainState } from './state.ts'
import { subjectOf } from './subject.ts'
import { readSubjectTitle } from './subject-title.ts'

/** Below this a value is a guess, and left out. */
const leastScore = 0.35

/** A page as the readers of fields need it. */
export interface ReadablePage {
  tree: Tree
  lines: Lines
  sources: ThingSource[]
  state: StateThings
  context: PageContext
}

export function readablePage(tree: Tree, context: PageContext): ReadablePage {
  const stated = structuredData(tree, context.base)
  const lines = readLines(tree, hiddenParts(tree))
  lowerOthers(lines)
  return {
    ...{ tree, context, lines, state: stateThings(stated.states) },
    sources: [
      { reader: 'json-ld', things: stated.jsonLd, trust: 1 },
      { reader: 'microdata', things: stated.microdata, trust: 0.98 },
      { reader: 'rdfa', things: stated.rdfa, trust: 0.97 },
    ],
  }
}

/** What a page says of the fields of an object, by every reader; the surest value of each, by the path of the field. */
export function readFields(page: ReadablePage, spec: ObjectSpec): Map<string, Found> {
  const found = new Map<string, Found>()
  const offer: Offer = (path, value) => {
    const best = better(found.get(path), value)
    if (best && best.score >= leastScore) found.set(path, best)
  }
  const [main, ...others] = thingsByFit(page.sources, spec, page.context)
  if (main) readThings({ main, others: others.slice(0, mostOthers) }, spec, offer)
  const { lines, context } = page
  const slots = slotsOf(spec)
  const shown = shownValues(lines, context.language)
  const state = mainState(page, spec, slots)
  if (state)
    readThings({ main: state, others: [] }, spec, (path, value) =>
      offer(path, value && grounded(value, shown)),
    )
  const index = phraseIndex(slots)
  const labelled = [readLabels(lines, index, context), readSections(lines, index, context)]
  const subject = subjectOf(lines, labelled)
  const heading = headingLine(lines, context.title)
  const read = [
    ...labelled,
    ...[readNames(lines, index, { ...context, subject }), readPageFacts(lines, slots, context)],
    readSubjectTitle(lines, slots, subject, context),
    ...[readShapes(lines, slots, context, heading), readFlags(lines, slots, heading)],
    ...[readAddresses(lines, slots, context), readSorts(lines, slots, context, heading)],
  ]
  for (const values of read) for (const [slot, value] of values) offer(slot.path, value)
  dropRepeated(found, slots)
  addCurrencies(found, slots, context.language)
  return found
}

/** Where among the lines the heading stands. */
function headingLine(lines: Lines, title: string): number {
  const node = mainHeading(lines, title)
  return node === undefined ? 0 : (lines.before[node] ?? 0)
}

type Offer = (path: string, value: Found | undefined) => void

const mostOthers = 10
/** How far another thing is to be trusted: one of the same type describes the same again. */
const trustInSame = 0.85
const trustInOther = 0.55

function readThings(
  { main, others }: { main: ThingPlace; others: ThingPlace[] },
  spec: ObjectSpec,
  offer: Offer,
  at = '',
): void {
  for (const [name, field] of spec.fields) {
    const path = at === '' ? name : `${at}.${name}`
    const names = namesOf(field, at === '' ? [] : [spec.label])
    if (field.kind === 'object') {
      offerParts(path, fieldOfThing(main, field, names), offer)
      // The page may state the parts of an object without the object: `price` and `currency` of an offer.
      readThings({ main: { ...main, trust: main.trust * 0.95 }, others: [] }, field, offer, path)
      continue
    }
    if (at !== '' && names.isOfOther) continue
    offer(path, fieldOfThing(main, field, names))
    for (const other of others) {
      const isSame = other.thing.types.some((type) => main.thing.types.includes(type))
      const value = fieldOfThing(other, field, names)
      if (value) offer(path, { ...value, score: value.score * (isSame ? trustInSame : trustInOther) })
    }
  }
}

/** An object is compared with other readers field by field. */
function offerParts(path: string, found: Found | undefined, offer: Offer): void {
  for (const [name, part] of found?.inner ?? []) {
    const isObject = part.inner !== undefined && !Array.isArray(part.value)
    if (isObject) offerParts(`${path}.${name}`, part, offer)
    else offer(`${path}.${name}`, part)
  }
}
