import type { Label, ValueWish, Wish } from '../schema/wish.ts'
import type { ValueKind } from '../vocabulary/concept.ts'
import { conceptsNamed } from '../vocabulary/concepts.ts'
import { describedUnit, type Unit, unitOf } from '../vocabulary/units.ts'
import { nameWords, phraseOf, singular, words } from '../vocabulary/words.ts'

/** Everything that a page may call a field, and what its values look like. */
export interface FieldNames {
  /** Names and labels, each with how surely it means the field: 1 for its own name. */
  phrases: Map<string, number>
  /** Properties of schema.org, likewise. */
  paths: Map<string, number>
  /** The words of the name itself. */
  own: string[]
  kind: ValueKind | undefined
  /** Whether the kind is known by the name of the field, and not only by its description. */
  unit: Unit | undefined
  concept: string | undefined
}

/** Words at the end of a name that say only how the value is written. */
const forms = new Set([
  'list',
  'text',
  'value',
  'string',
  'info',
  'array',
  'number',
  'field',
  'item',
  'detail',
])

const ofName = 1
const ofPart = 0.8
const ofDescription = 0.55

/** The same for each field of a schema, once. */
const known = new WeakMap<Wish, Map<string, FieldNames>>()

export function namesOf(wish: Wish, parents: readonly Label[] = []): FieldNames {
  const ofWish = known.get(wish) ?? new Map<string, FieldNames>()
  known.set(wish, ofWish)
  const key = parents.at(-1)?.name ?? ''
  const names = ofWish.get(key) ?? fieldNames(wish, parents)
  ofWish.set(key, names)
  return names
}

/** What a field may be called; `parents` are the labels around it, innermost last. */
function fieldNames(wish: Wish, parents: readonly Label[] = []): FieldNames {
  const { label } = wish
  const given = nameWords(label.name).map(singular)
  const unit = unitOf(given) ?? describedUnit(words(label.description).map(singular))
  const own = bare(unitOf(given) && given.length > 1 ? given.slice(0, -1) : given)
  const names: FieldNames = {
    phrases: new Map(),
    paths: new Map(),
    own,
    kind: undefined,
    unit,
    concept: undefined,
  }
  const around = parents.at(-1)
  const outer = around && around.name !== '' ? bare(nameWords(around.name).map(singular)) : []
  if (outer.length > 0) add(names, [...outer, ...own], ofName)
  add(names, own, ofName)
  // `recipeIngredient` and `productPrice` say in front what the page is about; a name that is known is no such pair.
  if (names.concept === undefined) {
    for (let from = 1; from < own.length; from += 1) add(names, own.slice(from), ofPart)
    if (own.length > 1 && own.at(-1) === 'name') add(names, own.slice(0, -1), ofPart)
  }
  for (const phrase of describedPhrases(label.description)) add(names, phrase, ofDescription)
  names.kind ??= kindOfWish(wish)
  return names
}

function bare(given: readonly string[]): string[] {
  const kept = [...given]
  while (kept.length > 1 && forms.has(kept.at(-1) ?? '')) kept.pop()
  return kept
}

function add(names: FieldNames, given: readonly string[], weight: number): void {
  const phrase = phraseOf(given)
  if (phrase === '') return
  put(names.phrases, phrase, weight)
  // Only the first meaning gives the kind; others may still be what the author had in mind.
  for (const [index, concept] of conceptsNamed(phrase).entries()) {
    const sure = weight * (index === 0 ? 1 : 0.9)
    const isFirst = names.concept === undefined
    if (isFirst) {
      names.concept = concept.name
      names.kind = concept.kind
    }
    // Another meaning of a part of the name is no name of the field.
    if (!isFirst && weight < ofName && concept.kind !== names.kind) continue
    for (const [at, other] of concept.phrases.entries())
      put(names.phrases, other, sure * (at === 0 ? 1 : 0.95))
    for (const [at, path] of concept.paths.entries()) put(names.paths, path, sure * (1 - at * 0.02))
  }
}

function put(map: Map<string, number>, key: string, weight: number): void {
  map.set(key, Math.max(weight, map.get(key) ?? 0))
}

const longestPhrase = 4
const fillers = new Set([
  'the',
  'a',
  'an',
  'of',
  'this',
  'that',
  'is',
  'in',
  'on',
  'for',
  'to',
  'and',
  'or',
  'with',
  'as',
])

/** Phrases of a description that mean something: "Servings or yield" are two. */
function describedPhrases(description: string): string[][] {
  const all = words(description).slice(0, 60).map(singular)
  const found: string[][] = []
  for (let from = 0; from < all.length; from += 1) {
    for (let size = Math.min(longestPhrase, all.length - from); size > 0; size -= 1) {
      const phrase = all.slice(from, from + size)
      if (size === 1 && fillers.has(phrase[0] ?? '')) break
      if (conceptsNamed(phraseOf(phrase)).length === 0) continue
      found.push(phrase)
      from += size - 1
      break
    }
  }
  return found
}

function kindOfWish(wish: Wish): ValueKind | undefined {
  if (wish.kind === 'list') return undefined
  if (wish.kind === 'object') return undefined
  return kindOfValue(wish)
}

const kindOfFormat: Record<string, ValueKind> = {
  ...{ date: 'date', 'date-time': 'date', duration: 'duration', email: 'email' },
  ...{ uri: 'address', url: 'address', 'uri-reference': 'address' },
}

function kindOfValue({ kind, format }: ValueWish): ValueKind | undefined {
  if (format !== undefined && kindOfFormat[format]) return kindOfFormat[format]
  if (kind === 'number' || kind === 'integer') return 'measure'
  return kind === 'boolean' ? 'yes' : undefined
}
