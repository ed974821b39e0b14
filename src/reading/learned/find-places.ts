import { isInside, type Tree } from '../../content/tree/tree.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { ValueWish } from '../schema/wish.ts'
import { coerce } from '../values/coerce.ts'
import type { Elements } from './elements.ts'
import {
  type Candidate,
  type Locator,
  type LocatorKind,
  mostCandidates,
  nameOf,
  type Part,
} from './memory.ts'
import { numbersOf, partsWith, piecesOf } from './parts.ts'
import { readPlace } from './read-place.ts'
import { comparableValue } from './same-value.ts'
import { holdsAddress, type Source, sourcesOf } from './sources.ts'

/** A value that the page states, and whose places are looked for. */
export interface Sought {
  slot: Slot
  value: unknown
}

const mostSources = 12
/** Values of longer texts are looked for only where they are all of the text. */
const longestAround = 300
/** So much is compared on a page; what stands behind that is not learned. */
const mostComparisons = 400_000

/** Every place of a page where these values stand, by the path of their fields. */
export function findPlaces(
  elements: Elements,
  sought: readonly Sought[],
  context: PageContext,
): Map<string, Candidate[]> {
  const hunts = sought.map((one) => huntFor(one, context))
  let comparisons = 0
  for (const source of sourcesOf(elements)) {
    for (const hunt of hunts) {
      comparisons += 1
      if (hunt.sources.length >= mostSources) continue
      const parts = hunt.partsIn(source)
      if (parts.length > 0) hunt.sources.push({ source, parts })
    }
    if (comparisons > mostComparisons) break
  }
  return new Map(hunts.map((hunt) => [hunt.slot.path, candidatesOf(elements, hunt, context)]))
}

interface Hunt extends Sought {
  sources: { source: Source; parts: Part[] }[]
  partsIn(source: Source): Part[]
}

function huntFor({ slot, value }: Sought, context: PageContext): Hunt {
  const { wish } = slot
  const partsIn =
    wish.kind === 'list'
      ? entryFinder(value)
      : valueFinder(wish, value, (text) => coerce(wish, text, { ...context, ...slot.names }))
  const isAddress =
    slot.names.kind === 'image' || (wish.kind === 'text' && (wish.format === 'uri' || wish.format === 'url'))
  return {
    ...{ slot, value, sources: [] },
    partsIn: (source) => (holdsAddress(source) === isAddress ? partsIn(source.text) : []),
  }
}

const whole: Part = { kind: 'whole' }

function valueFinder(
  wish: ValueWish,
  value: unknown,
  read: (text: string) => unknown,
): (text: string) => Part[] {
  const wanted = comparableValue(value)
  if (wish.choices || wish.kind === 'boolean')
    return (text) => (text.length <= 80 && read(text) === value ? [whole] : [])
  if (wish.kind === 'number' || wish.kind === 'integer') return (text) => numberParts(text, value, read)
  if (wish.format === 'date' || wish.format === 'date-time') {
    const day = String(value).slice(0, 10)
    return (text) =>
      text.length <= 160 && /\d/.test(text) && String(read(text) ?? '').slice(0, 10) === day ? [whole] : []
  }
  const longest = wanted.length * 4 + 80
  return (text) => {
    if (text.length > longest && text.length > longestAround) return []
    if (comparableValue(read(text)) === wanted) return [whole]
    return text.length <= longestAround && typeof value === 'string' ? partsWith(text, value) : []
  }
}

function numberParts(text: string, value: unknown, read: (text: string) => unknown): Part[] {
  if (text.length > 200 || !/\d/.test(text)) return []
  const numbers = numbersOf(text)
  const parts = numbers.flatMap((number, nth): Part[] =>
    read(number.text) === value ? [{ kind: 'number', nth, of: numbers.length }] : [],
  )
  return read(text) === value ? [whole, ...(numbers.length > 1 ? parts.slice(0, 1) : [])] : parts.slice(0, 2)
}

/** A list stands in several elements alike, or in one between separators. */
function entryFinder(value: unknown): (text: string) => Part[] {
  const list = Array.isArray(value) ? value.map(comparableValue) : []
  const [first] = list
  const all = list.join('\n')
  return (text) => {
    if (first === undefined || text.length > 2000) return []
    if (comparableValue(text) === first) return [whole]
    return list.length > 1 && comparableValue(piecesOf(text)) === all ? [{ kind: 'piece', nth: 'all' }] : []
  }
}

function candidatesOf(elements: Elements, hunt: Hunt, context: PageContext): Candidate[] {
  const found = new Map<string, Candidate>()
  const wanted = comparableValue(hunt.value)
  for (const { source, parts } of innermost(elements.tree, hunt.sources)) {
    for (const part of parts) {
      for (const locator of locatorsOf(elements, source, { part, isList: hunt.slot.wish.kind === 'list' })) {
        const guards = { label: null, before: null, after: null, longest: 0, hasDigits: false }
        const candidate: Candidate = { locator, attribute: source.attribute, part, guards }
        const name = nameOf(candidate)
        if (found.has(name) || found.size >= mostCandidates) continue
        const read = readPlace(elements, candidate, hunt.slot, context)
        if (read && isWanted(read.found.value, hunt.value, wanted))
          found.set(name, { ...candidate, guards: read.guards })
      }
    }
  }
  return [...found.values()]
}

/** An element that only holds another one with the value says less of its place. */
function innermost(tree: Tree, sources: Hunt['sources']): Hunt['sources'] {
  return sources.filter(
    ({ source }) =>
      source.attribute !== '' || !sources.some((other) => isInside(tree, other.source.node, source.node)),
  )
}

/** A date may have a time beside it. */
function isWanted(read: unknown, value: unknown, wanted: string): boolean {
  if (comparableValue(read) === wanted) return true
  const isDay = typeof read === 'string' && typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
  return isDay && read.slice(0, 10) === value.slice(0, 10)
}

function* locatorsOf(
  elements: Elements,
  { node }: Source,
  { part, isList }: { part: Part; isList: boolean },
): Generator<Locator> {
  const kinds: LocatorKind[] = part.kind === 'whole' ? ['label', 'path', 'near', 'tags'] : ['label', 'path']
  for (const by of kinds) {
    if (by === 'label' && elements.labelOf(node) === '') continue
    const key = elements.keyOf(by, node)
    if (isList && part.kind === 'whole') {
      if (by === 'path' || by === 'near') yield { by, key, nth: 'all' }
      continue
    }
    const nodes = elements.withKey(by, key)
    const nth = nodes.indexOf(node)
    yield { by, key, nth }
    if (by === 'path' || by === 'label') yield { by, key, nth: nth - nodes.length }
  }
}
