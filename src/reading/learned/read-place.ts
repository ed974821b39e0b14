import type { Found } from '../fields/found.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import type { Elements } from './elements.ts'
import { hashText } from './hash.ts'
import type { Candidate, Guards } from './memory.ts'
import { numbersOf, piecesOf, textOfPart } from './parts.ts'
import { type Source, sourceAt } from './sources.ts'

/** What stands at a place, and what stands around it there. */
export interface ReadPlace {
  found: Found
  guards: Guards
}

/** How sure a value of a learned place is. */
const score = 0.93
const mostEntries = 200

/** What a page has at a place; undefined where there is nothing that the field could be. */
export function readPlace(
  elements: Elements,
  place: Candidate,
  slot: Slot,
  context: PageContext,
): ReadPlace | undefined {
  const { locator, attribute, part } = place
  const nodes = elements.withKey(locator.by, locator.key)
  if (locator.nth === 'all') return readList(elements, place, slot, context)
  const node = nodes.at(locator.nth)
  const source = node === undefined ? undefined : sourceAt(elements, node, attribute)
  if (!source) return undefined
  if (part.kind === 'piece' && part.nth === 'all')
    return entries(slot, piecesOf(source.text), [source], context)
  if (slot.spec.kind === 'list') return undefined
  const read = readPart(source, part, slot.spec, { ...context, ...slot.names })
  if (!read) return undefined
  const { value, before, after } = read
  const { text } = source
  return {
    found: { value, text, node: source.node, reader: 'learned', score },
    guards: {
      ...{ before, after, label: hashText(elements.labelOf(source.node)) },
      longest: text.length,
      hasDigits: /\d/.test(text),
    },
  }
}

function readPart(
  { text }: Source,
  part: Candidate['part'],
  spec: ValueSpec,
  context: Parameters<typeof coerce>[2],
): { value: unknown; before: string | null; after: string | null } | undefined {
  const isNumber = spec.kind === 'number' || spec.kind === 'integer'
  const numbers = isNumber ? numbersOf(text) : []
  if (part.kind === 'number' && numbers.length !== part.of) return undefined
  const number = numbers[part.kind === 'number' ? part.nth : 0]
  const said = part.kind === 'number' ? number?.text : textOfPart(part, text)
  const value = said === undefined ? undefined : coerce(spec, said, context)
  return value === undefined
    ? undefined
    : { value, before: number?.before ?? null, after: number?.after ?? null }
}

function readList(
  elements: Elements,
  { locator, attribute }: Candidate,
  slot: Slot,
  context: PageContext,
): ReadPlace | undefined {
  const nodes = elements.withKey(locator.by, locator.key).slice(0, mostEntries)
  const sources = nodes.flatMap((node) => sourceAt(elements, node, attribute) ?? [])
  const texts = sources.map(({ text }) => text)
  return entries(slot, texts, sources, context)
}

function entries(
  { spec, names }: Slot,
  texts: string[],
  [first]: Source[],
  context: PageContext,
): ReadPlace | undefined {
  if (spec.kind !== 'list' || !first || texts.length > spec.most) return undefined
  const values = texts.map((text) => coerce(spec.item, text, { ...context, ...names }))
  if (values.length === 0 || values.includes(undefined)) return undefined
  const text = texts.join(', ')
  return {
    found: { value: values, text, node: first.node, reader: 'learned', score },
    guards: { label: null, before: null, after: null, longest: text.length, hasDigits: /\d/.test(text) },
  }
}

/** Whether what stands there is like what stood there before. */
export function fitsGuards(known: Guards, found: Guards): boolean {
  return (
    (known.label === null || known.label === found.label) &&
    (known.before === null || known.before === found.before) &&
    (known.after === null || known.after === found.after) &&
    (known.hasDigits || !found.hasDigits || found.longest > shortText) &&
    found.longest <= known.longest * 3 + shortText
  )
}

/** A longer text may have a number in it. */
const shortText = 40
