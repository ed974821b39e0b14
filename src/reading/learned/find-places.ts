import { isInside, type Tree } from '../../content/tree/tree.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Elements } from './elements.ts'
import { comparedText, type Hunt, huntFor, type Sought } from './hunts.ts'
import {
  type Candidate,
  type Locator,
  type LocatorKind,
  mostCandidates,
  nameOf,
  type Part,
} from './memory.ts'
import { readPlace } from './read-place.ts'
import { comparableValue } from './same-value.ts'
import { type Source, sourcesOf } from './sources.ts'

const mostSources = 12
/** Most comparisons on a page, texts times fields; what stands behind that is not learned. */
const mostComparisons = 400_000

/** A text that has a value, and which parts of it. */
interface Hit {
  source: Source
  parts: Part[]
}

/** Every place of a page where these values stand, by the path of their fields. */
export function findPlaces(
  elements: Elements,
  sought: readonly Sought[],
  context: PageContext,
): Map<string, Candidate[]> {
  const hunts = sought.map((one) => ({ hunt: huntFor(one, context), hits: [] as Hit[] }))
  let left = hunts.length === 0 ? 0 : mostComparisons / hunts.length
  for (const source of sourcesOf(elements)) {
    left -= 1
    if (left < 0) break
    const compared = comparedText(source.text)
    for (const { hunt, hits } of hunts) {
      const parts = hits.length < mostSources ? hunt.partsIn(source, compared) : []
      if (parts.length > 0) hits.push({ source, parts })
    }
  }
  return new Map(
    hunts.map(({ hunt, hits }) => [hunt.slot.path, candidatesOf(elements, { hunt, hits }, context)]),
  )
}

function candidatesOf(
  elements: Elements,
  { hunt, hits }: { hunt: Hunt; hits: Hit[] },
  context: PageContext,
): Candidate[] {
  const found = new Map<string, Candidate>()
  const wanted = comparableValue(hunt.value)
  for (const { source, parts } of innermost(elements.tree, hits)) {
    for (const part of parts) {
      for (const locator of locatorsOf(elements, source, { part, isList: hunt.slot.spec.kind === 'list' })) {
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
function innermost(tree: Tree, sources: Hit[]): Hit[] {
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
