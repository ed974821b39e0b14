import type { FieldSpec, Label, ValueSpec } from '../schema/field-spec.ts'
import { conceptsNamed, type ValueKind } from '../vocabulary/concepts.ts'
import { describedUnit, isUnitWord, type Unit, unitOf } from '../vocabulary/units.ts'
import { nameWords, phraseOf, singular, wordList, words } from '../vocabulary/words.ts'

const fillers = wordList('fillers')

function hintsOf(descriptionWords: readonly string[]): string[] {
  const hints = new Set(descriptionWords.slice(0, 40).map(singular))
  return [...hints].filter((word) => !fillers.has(word) && !isUnitWord(word))
}

const clauseBreaks =
  /\b(?:of|in|on|at|for|to|by|with|without|before|after|below|above|from|per|as|that|which|who|whose|where|when|if|und|der|die|das|von|für|mit|vor|nach|pro|de|du|des|par|pour|avec|avant|del|para|con|por|di|per)\b|[.,;:–—(]/iu
const questionPattern =
  /^(?:who|whom|whose|what|when|where|how|which|why|whether|if|is|are|has|wer|wen|was|wann|wo|wie|ob|qui|quand|où|combien|comment|si|quién|cuándo|dónde|cuánt|chi|quando|dove)\b/iu
const vagueWords = wordList('vagueNames')

/** Returns the meaningful words at the start of a description and in brackets. */
function headsOf(description: string): string[] {
  const short = description.slice(0, 200)
  const [, bracketed = ''] = /\(([^()]{2,40})\)/.exec(short) ?? []
  const [first = '', second = ''] = short.split(clauseBreaks)
  // A question contains the subject, not the requested value.
  if (questionPattern.test(short)) return hintsOf(words(bracketed))
  // In "Name of the gauge", the second part is more specific.
  const isVague = words(first).every((word) => vagueWords.has(singular(word)) || fillers.has(word))
  return hintsOf([...words(isVague ? second : first), ...words(bracketed)])
}

const lowWords = wordList('lowEnds')
const highWords = wordList('highEnds')

function boundOf(own: readonly string[], outer: readonly string[]): 'low' | 'high' | undefined {
  if (own.length + outer.length < 2) return undefined
  for (const word of [own[0] ?? '', own.at(-1) ?? '']) {
    if (lowWords.has(word)) return 'low'
    if (highWords.has(word)) return 'high'
  }
  return undefined
}

export interface FieldNames {
  phrases: Map<string, number>
  /** Properties of schema.org with the same confidence. */
  paths: Map<string, number>
  /** Words of the field name, and of the name of the parent object. */
  own: string[]
  outer: string[]
  hints: string[]
  /** Words at the start of the description and in brackets. They name the field without its qualifiers. */
  heads: string[]
  kind: ValueKind | undefined
  unit: Unit | undefined
  bound: 'low' | 'high' | undefined
  concept: string | undefined
  /** True if the field is the name, URL or image of an entity other than the subject of the page. */
  isOfOtherEntity: boolean
  accepts(kind: ValueKind): boolean
}

const formatWords = wordList('valueForms')
const nameWeight = 1
const partWeight = 0.8
const descriptionWeight = 0.6
const fullDescriptionWeight = 0.8

const namesCache = new WeakMap<FieldSpec, Map<string, FieldNames>>()

export function namesOf(spec: FieldSpec, parent?: Label): FieldNames {
  const namesByParent = namesCache.get(spec) ?? new Map<string, FieldNames>()
  namesCache.set(spec, namesByParent)
  const key = parent?.name ?? ''
  const names = namesByParent.get(key) ?? fieldNames(spec, key)
  namesByParent.set(key, names)
  return names
}

function fieldNames(spec: FieldSpec, parent: string): FieldNames {
  const { label } = spec
  // `budget2027` consists of two words.
  const rawWords = nameWords(label.name).flatMap((word) => word.split(/(?<=\p{L}{3})(?=(?:19|20)\d{2}$)/u))
  const nameParts = rawWords.map(singular)
  const descriptionWords = words(label.description)
  const isNumber = isNumeric(spec)
  // `pricePerSqm` is a price, not an area.
  const isRate = nameParts.some((word) => /^(?:per|pro|par|por)$/.test(word))
  // `processing_weeks` counts weeks, and `start_week` is a week.
  const isUnit = rawWords.length === 1 || !/^(?:day|week|month|hour|min)$/.test(rawWords.at(-1) ?? '')
  const ending = isNumber && isUnit && !isRate ? unitOf(nameParts) : undefined
  const unit = ending?.unit ?? (isNumber ? describedUnit(descriptionWords.map(singular)) : undefined)
  const ownWords = withoutFormatWords(
    ending && nameParts.length > ending.wordCount ? nameParts.slice(0, -ending.wordCount) : nameParts,
  )
  const outer = parent === '' ? [] : withoutFormatWords(nameWords(parent).map(singular))
  const bound = isNumber ? boundOf(ownWords, outer) : undefined
  const names: FieldNames = {
    ...{ phrases: new Map(), paths: new Map(), own: ownWords, outer, unit, bound },
    ...{ kind: undefined, concept: undefined, isOfOtherEntity: false, accepts: acceptsOf(spec, unit) },
    ...{ hints: hintsOf(descriptionWords), heads: headsOf(label.description) },
  }
  if (titleDescription.test(label.description)) add(names, ['title'], nameWeight)
  addNames(names, label.description)
  if (bound) {
    const base = ownWords.filter((word) => !lowWords.has(word) && !highWords.has(word))
    add(names, base.length > 0 ? base : outer, 0.9)
  }
  names.kind = kindOf(names, spec)
  // "Number of stars" is a count, not an average rating.
  const isCount = /\b(?:number of|how many|count|anzahl|nombre de|número de)\b/iu.test(label.description)
  return isCount && names.kind === 'rating' && spec.kind === 'integer'
    ? { ...names, kind: 'count', concept: undefined }
    : names
}

const titleDescription =
  /^(?:the )?(?:(?:page |main )?title|headline|heading|überschrift|titel|titre|título|titolo)\b(?! case)/i

function addNames(names: FieldNames, description: string): void {
  const { own, outer } = names
  if (outer.length > 0) add(names, [...outer, ...own], nameWeight)
  if (isOfOtherEntity(own, outer)) {
    addEntityNames(names)
    addDescribed(names, description)
    return
  }
  add(names, own, nameWeight)
  // Pages also write `isbn13` with a space or a hyphen.
  put(names.phrases, phraseOf(own.flatMap((word) => word.split(/(?<=\p{L}{3})(?=\d)/u))), nameWeight)
  addDescribed(names, description)
  // In `recipeIngredient` and `productPrice`, the first word is the page subject. The name of a known concept is not
  // split.
  const [knownConcept] = conceptsNamed(phraseOf(own))
  if (knownConcept) return
  // `product` alone means the product name.
  if (own.length === 1 && entityWords.has(own[0] ?? '')) add(names, ['title'], partWeight)
  for (let from = 1; from < own.length; from += 1) addPart(names, own.slice(from))
  if (own.length > 1 && own.at(-1) === 'name') addPart(names, own.slice(0, -1))
  if (names.concept !== undefined) return
  // In `prix_ttc` and `price_per_night`, the first word is the concept and the rest qualifies it.
  for (let size = own.length - 1; size > 0 && names.concept === undefined; size -= 1) {
    const kind = conceptsNamed(phraseOf(own.slice(0, size)))[0]?.kind ?? 'image'
    if (kind !== 'image' && kind !== 'address') add(names, own.slice(0, size), leadingWeight)
  }
}

/** The page subject and other entities on the page have these concepts. */
const identityConcepts = new Set(['title', 'url', 'image', 'description', 'body', 'website', 'language'])
const subjects = wordList('subjects')

const entityWords = wordList('things')

/** True for the name, URL or image of an entity other than the page subject: `agentName`, `author.url`. */
function isOfOtherEntity(own: readonly string[], outer: readonly string[]): boolean {
  for (let from = 0; from < own.length; from += 1) {
    const [part] = conceptsNamed(phraseOf(own.slice(from)))
    const owner = from === 0 ? outer : own.slice(0, from)
    if (part) return identityConcepts.has(part.name) && owner.some((word) => !subjects.has(word))
  }
  return false
}

const otherWeight = 0.6

function addEntityNames(names: FieldNames): void {
  const { own, outer } = names
  const conceptStart = own.findIndex((_, from) => conceptsNamed(phraseOf(own.slice(from))).length > 0)
  const [concept] = conceptsNamed(phraseOf(own.slice(conceptStart)))
  const ownerWords = [...outer, ...own.slice(0, conceptStart)]
  names.isOfOtherEntity = true
  put(names.phrases, phraseOf(own), conceptStart > 0 ? nameWeight : otherWeight)
  // A page may label the name of an entity with the entity alone: "organizer" instead of "organizer name".
  if (concept?.name === 'title') {
    add(names, ownerWords, partWeight)
    if (ownerWords.length > 1) add(names, ownerWords.slice(-1), partWeight * 0.9)
  }
  names.kind ??= concept?.name === 'title' ? 'name' : concept?.kind
}

const leadingWeight = 0.72

function addPart(names: FieldNames, part: readonly string[]): void {
  const [concept] = conceptsNamed(phraseOf(part))
  if (names.concept === undefined || concept === undefined || concept.name === names.concept)
    add(names, part, partWeight)
}

function withoutFormatWords(nameParts: readonly string[]): string[] {
  const last = nameParts.findLastIndex((word) => !formatWords.has(word))
  return nameParts.slice(0, Math.max(last, 0) + 1)
}

function add(names: FieldNames, nameParts: readonly string[], weight: number): void {
  const phrase = phraseOf(nameParts)
  if (phrase === '') return
  put(names.phrases, phrase, weight)
  // Identifiers often spell umlauts with two letters, as in `oeffnungszeiten`.
  const plain = phrase.replace(/([aou])e/g, '$1')
  if (plain !== phrase && conceptsNamed(phrase).length === 0 && conceptsNamed(plain).length > 0) {
    add(names, plain.split(' '), weight)
    return
  }
  const accepted = conceptsNamed(phrase).filter(({ kind }) => names.accepts(kind))
  for (const [index, concept] of accepted.entries()) {
    const confidence = weight * (index === 0 ? 1 : 0.9)
    const isFirst = names.concept === undefined
    if (isFirst) Object.assign(names, { concept: concept.name, kind: concept.kind })
    if (!isFirst && weight < nameWeight && concept.kind !== names.kind) continue
    for (const [at, other] of concept.phrases.entries())
      put(names.phrases, other, confidence * (at === 0 ? 1 : 0.95))
    for (const [at, path] of concept.paths.entries()) put(names.paths, path, confidence * (1 - at * 0.02))
  }
}

function put(map: Map<string, number>, key: string, weight: number): void {
  map.set(key, Math.max(weight, map.get(key) ?? 0))
}

const maxPhraseWords = 4

/** Adds the known names in a description. "Servings or yield" contains two. */
function addDescribed(names: FieldNames, description: string): void {
  const hasConcept = names.concept !== undefined
  const descriptionWords = words(description).slice(0, 60).map(singular)
  const [first = ''] = descriptionWords
  // A short description may be the label that the page uses.
  const isPossibleLabel =
    descriptionWords.length > 1 || (first.length > 3 && conceptsNamed(first).length === 0)
  if (isPossibleLabel && descriptionWords.length <= maxPhraseWords)
    put(names.phrases, phraseOf(descriptionWords), fullDescriptionWeight)
  for (let from = 0; from < descriptionWords.length; from += 1) {
    const size = knownNameLength(descriptionWords, from)
    if (size === 0) continue
    const phrase = descriptionWords.slice(from, from + size)
    const [concept] = conceptsNamed(phraseOf(phrase))
    const before = descriptionWords[from - 1]
    from += size - 1
    // "Monthly membership fee" names another value than "fee".
    const isQualified = before !== undefined && !fillers.has(before)
    if (!concept || identityConcepts.has(concept.name) || isQualified) continue
    if (!hasConcept || concept.name === names.concept) add(names, phrase, descriptionWeight)
  }
}

function knownNameLength(descriptionWords: readonly string[], from: number): number {
  for (let size = Math.min(maxPhraseWords, descriptionWords.length - from); size > 0; size -= 1) {
    const phrase = descriptionWords.slice(from, from + size)
    if (size === 1 && fillers.has(phrase[0] ?? '')) return 0
    if (conceptsNamed(phraseOf(phrase)).length > 0) return size
  }
  return 0
}

const nonNumericKinds = new Set('date time yes name address image email phone steps text code'.split(' '))

function acceptsOf(spec: FieldSpec, unit: Unit | undefined): (kind: ValueKind) => boolean {
  const inner = spec.kind === 'list' ? spec.item : spec
  if (inner.kind === 'object' || inner.kind === 'list') return () => true
  if (inner.kind === 'boolean') return (kind) => kind === 'yes'
  if (isNumeric(inner))
    return (kind) => !nonNumericKinds.has(kind) && (kind !== 'duration' || !unit || unit.of === 'time')
  const kind = kindOfValue(inner)
  if (kind === 'address') return (other) => other === 'address' || other === 'image'
  return kind === 'date' || kind === 'email' ? (other) => other === kind : () => true
}

export function isNumeric(spec: FieldSpec): boolean {
  const { kind } = spec.kind === 'list' ? spec.item : spec
  return kind === 'number' || kind === 'integer'
}

function kindOf(names: FieldNames, spec: FieldSpec): ValueKind | undefined {
  const { description } = spec.label
  const isText = spec.kind === 'text' && spec.format === undefined
  const isTime =
    /^(?:time|uhrzeit|heure|hora|ora)$/.test(names.own.at(-1) ?? '') ||
    /\bHH:?MM\b|uhrzeit|time of day|24 hours/i.test(description)
  if (isText && isTime && names.kind === 'date') return 'time'
  if (names.kind === undefined && (names.unit?.of === 'money' || names.bound)) return 'price'
  // The name may be ambiguous: a field of type date is not a price.
  const typeKind = spec.kind === 'list' || spec.kind === 'object' ? undefined : kindOfValue(spec)
  if (typeKind === 'date' || typeKind === 'email' || typeKind === 'address')
    return names.kind === 'image' ? 'image' : typeKind
  if (typeKind === 'yes' && names.kind !== 'yes') return 'yes'
  return names.kind ?? typeKind
}

const kindOfFormat: Record<string, ValueKind> = {
  ...{ date: 'date', 'date-time': 'date', duration: 'duration', email: 'email' },
  ...{ uri: 'address', url: 'address', 'uri-reference': 'address' },
}

function kindOfValue({ kind, format }: ValueSpec): ValueKind | undefined {
  if (format !== undefined && kindOfFormat[format]) return kindOfFormat[format]
  if (kind === 'number' || kind === 'integer') return 'measure'
  return kind === 'boolean' ? 'yes' : undefined
}
