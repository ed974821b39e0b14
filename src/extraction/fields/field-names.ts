import type { FieldSpec, Label, ValueSpec } from '../schema/field-spec.ts'
import { conceptsNamed, type ValueKind } from '../vocabulary/concepts.ts'
import { describedUnit, isUnitWord, type Unit, unitOf } from '../vocabulary/units.ts'
import { nameWords, phraseOf, singular, wordList, words } from '../vocabulary/words.ts'

/** Words of a description that say nothing by themselves. */
const fillers = wordList('fillers')

/** The words of a description that say something. */
function hintsOf(described: readonly string[]): string[] {
  return [...new Set(described.slice(0, 40).map(singular))].filter(
    (word) => !fillers.has(word) && !isUnitWord(word),
  )
}

const breaks =
  /\b(?:of|in|on|at|for|to|by|with|without|before|after|below|above|from|per|as|that|which|who|whose|where|when|if|und|der|die|das|von|für|mit|vor|nach|pro|de|du|des|par|pour|avec|avant|del|para|con|por|di|per)\b|[.,;:–—(]/iu
const asks =
  /^(?:who|whom|whose|what|when|where|how|which|why|whether|if|is|are|has|wer|wen|was|wann|wo|wie|ob|qui|quand|où|combien|comment|si|quién|cuándo|dónde|cuánt|chi|quando|dove)\b/iu
const vague = wordList('vagueNames')

/** What a description says first, and in brackets. */
function headsOf(description: string): string[] {
  const short = description.slice(0, 200)
  const [, bracketed = ''] = /\(([^()]{2,40})\)/.exec(short) ?? []
  const [first = '', second = ''] = short.split(breaks)
  // A question names what it asks about, not what the answer is.
  if (asks.test(short)) return hintsOf(words(bracketed))
  // "Name of the gauge": what it is of says more.
  const isVague = words(first).every((word) => vague.has(singular(word)) || fillers.has(word))
  return hintsOf([...words(isVague ? second : first), ...words(bracketed)])
}

const lows = wordList('lowEnds')
const highs = wordList('highEnds')

function boundOf(own: readonly string[], outer: readonly string[]): 'low' | 'high' | undefined {
  if (own.length + outer.length < 2) return undefined
  for (const word of [own[0] ?? '', own.at(-1) ?? '']) {
    if (lows.has(word)) return 'low'
    if (highs.has(word)) return 'high'
  }
  return undefined
}

/** Everything that a page may call a field, and what its values look like. */
export interface FieldNames {
  /** Names and labels, each with how surely it means the field: 1 for its own name. */
  phrases: Map<string, number>
  /** Properties of schema.org, likewise. */
  paths: Map<string, number>
  /** The words of the name itself. */
  own: string[]
  /** The words of the name of the object around it. */
  outer: string[]
  /** The words of the description that say something. */
  hints: string[]
  /** What the description says first, and in brackets: what the field is, not what it is said to be of. */
  heads: string[]
  kind: ValueKind | undefined
  unit: Unit | undefined
  /** Which end of a range is meant: `salaryMin`. */
  bound: 'low' | 'high' | undefined
  concept: string | undefined
  /** Whether it is the name, the address or the picture of something else than the subject. */
  isOfOther: boolean
  /** Whether the type of the field takes values of a kind. */
  accepts(kind: ValueKind): boolean
}

/** Words at the end of a name that say only how the value is written. */
const forms = wordList('valueForms')

const ofName = 1
const ofPart = 0.8
const ofDescription = 0.6
const ofWholeDescription = 0.8

/** The same for each field of a schema, once. */
const known = new WeakMap<FieldSpec, Map<string, FieldNames>>()

/** What a field may be called; `around` is the label of the object that it belongs to. */
export function namesOf(spec: FieldSpec, around?: Label): FieldNames {
  const ofSpec = known.get(spec) ?? new Map<string, FieldNames>()
  known.set(spec, ofSpec)
  const key = around?.name ?? ''
  const names = ofSpec.get(key) ?? fieldNames(spec, key)
  ofSpec.set(key, names)
  return names
}

function fieldNames(spec: FieldSpec, around: string): FieldNames {
  const { label } = spec
  // `budget2027` is called so by two words.
  const raw = nameWords(label.name).flatMap((word) => word.split(/(?<=\p{L}{3})(?=(?:19|20)\d{2}$)/u))
  const given = raw.map(singular)
  const described = words(label.description)
  const isNumber = isNumeric(spec)
  // `pricePerSqm` is no area.
  const isRate = given.some((word) => /^(?:per|pro|par|por)$/.test(word))
  const ending = isNumber && isUnit(raw) && !isRate ? unitOf(given) : undefined
  const unit = ending?.unit ?? (isNumber ? describedUnit(described.map(singular)) : undefined)
  const kept = bare(ending && given.length > ending.size ? given.slice(0, -ending.size) : given)
  const outer = around === '' ? [] : bare(nameWords(around).map(singular))
  const bound = isNumber ? boundOf(kept, outer) : undefined
  const names: FieldNames = {
    ...{ phrases: new Map(), paths: new Map(), own: kept, outer, unit, bound },
    ...{ hints: hintsOf(described), heads: headsOf(label.description), accepts: acceptsOf(spec, unit) },
    ...{ kind: undefined, concept: undefined, isOfOther: false },
  }
  if (titled.test(label.description)) add(names, ['title'], ofName)
  addNames(names, kept, outer, label.description)
  if (bound) addBase(names, kept, outer)
  names.kind = kindOf(names, spec, label)
  // "Number of stars" is no average.
  if (
    names.kind === 'rating' &&
    spec.kind === 'integer' &&
    /\b(?:number of|how many|count|anzahl|nombre de|número de)\b/iu.test(label.description)
  )
    Object.assign(names, { kind: 'count', concept: undefined })
  return names
}

/** "Title of the topic": what it is called decides, whatever the topic is elsewhere. */
const titled =
  /^(?:the )?(?:(?:page |main )?title|headline|heading|überschrift|titel|titre|título|titolo)\b(?! case)/i

function addNames(
  names: FieldNames,
  own: readonly string[],
  outer: readonly string[],
  description: string,
): void {
  if (outer.length > 0) add(names, [...outer, ...own], ofName)
  if (isOfOther(own, outer)) {
    addOther(names, own, outer)
    addDescribed(names, description)
    return
  }
  add(names, own, ofName)
  // `isbn13` is written with a space or a hyphen, too.
  put(names.phrases, phraseOf(own.flatMap((word) => word.split(/(?<=\p{L}{3})(?=\d)/u))), ofName)
  addDescribed(names, description)
  // `recipeIngredient` and `productPrice` say in front what the page is about; a name that is known is no such pair.
  const [whole] = conceptsNamed(phraseOf(own))
  if (whole) return
  // `product` alone is what the product is called.
  if (own.length === 1 && things.has(own[0] ?? '')) add(names, ['title'], ofPart)
  for (let from = 1; from < own.length; from += 1) addPart(names, own.slice(from))
  if (own.length > 1 && own.at(-1) === 'name') addPart(names, own.slice(0, -1))
  if (names.concept !== undefined) return
  // `prix_ttc`, `price_per_night`: what it is stands in front, and what is said of it behind.
  for (let size = own.length - 1; size > 0 && names.concept === undefined; size -= 1)
    if (isFront(conceptsNamed(phraseOf(own.slice(0, size))))) add(names, own.slice(0, size), ofFront)
}

/** The credit of a photo is no photo. */
const isFront = ([concept]: ReturnType<typeof conceptsNamed>) =>
  concept !== undefined && concept.kind !== 'image' && concept.kind !== 'address'

/** What a page says of itself, and everything else on it has as well. */
const identity = new Set(['title', 'url', 'image', 'description', 'body', 'website', 'language'])
/** What a page may be about, and words that tell nothing else from it. */
const subjects = wordList('subjects')

const things = wordList('things')

/** Whether it is the name, the address or the picture of something else than what the page is about: `agentName`, `author.url`. */
function isOfOther(own: readonly string[], outer: readonly string[]): boolean {
  const [whole] = conceptsNamed(phraseOf(own))
  if (whole) return identity.has(whole.name) && outer.some((word) => !subjects.has(word))
  for (let from = 1; from < own.length; from += 1) {
    const [part] = conceptsNamed(phraseOf(own.slice(from)))
    if (part) return identity.has(part.name) && own.slice(0, from).some((word) => !subjects.has(word))
  }
  return false
}

const ofOther = 0.6

function addOther(names: FieldNames, own: readonly string[], outer: readonly string[]): void {
  const last = own.findIndex((_, from) => conceptsNamed(phraseOf(own.slice(from))).length > 0)
  const [concept] = conceptsNamed(phraseOf(own.slice(last)))
  const other = [...outer, ...own.slice(0, last)]
  names.isOfOther = true
  put(names.phrases, phraseOf(own), last > 0 ? ofName : ofOther)
  // A name stands for what it names: the organizer for the name of the organizer.
  if (concept?.name === 'title') {
    add(names, other, ofPart)
    if (other.length > 1) add(names, other.slice(-1), ofPart * 0.9)
  }
  names.kind ??= concept?.name === 'title' ? 'name' : concept?.kind
}

const ofFront = 0.72

/** A part of a name, unless the description says that something else is meant. */
function addPart(names: FieldNames, part: readonly string[]): void {
  const [concept] = conceptsNamed(phraseOf(part))
  if (names.concept === undefined || concept === undefined || concept.name === names.concept)
    add(names, part, ofPart)
}

/** A range is called by what it is a range of: the salary, the price. */
function addBase(names: FieldNames, own: readonly string[], outer: readonly string[]): void {
  const base = own.filter((word) => !lows.has(word) && !highs.has(word))
  if (base.length > 0) add(names, base, 0.9)
  else if (outer.length > 0) add(names, outer, 0.9)
}

/** `processing_weeks` counts weeks; `start_week` is one. */
function isUnit(raw: readonly string[]): boolean {
  return !/^(?:day|week|month|hour|min)$/.test(raw.at(-1) ?? '') || raw.length === 1
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
  // `oeffnungszeiten` is how programs write umlauts.
  const plain = phrase.replace(/([aou])e/g, '$1')
  if (plain !== phrase && conceptsNamed(phrase).length === 0 && conceptsNamed(plain).length > 0) {
    add(names, plain.split(' '), weight)
    return
  }
  // Only the first meaning gives the kind; others may still be what the author had in mind.
  for (const [index, concept] of conceptsNamed(phrase)
    .filter(({ kind }) => names.accepts(kind))
    .entries()) {
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

/** Names that a description gives: "Servings or yield" are two. */
function addDescribed(names: FieldNames, description: string): void {
  const isNamed = names.concept !== undefined
  const all = words(description).slice(0, 60).map(singular)
  // A short description may be what the page itself calls it.
  const isWord = all.length > 1 || ((all[0]?.length ?? 0) > 3 && conceptsNamed(all[0] ?? '').length === 0)
  if (isWord && all.length <= longestPhrase) put(names.phrases, phraseOf(all), ofWholeDescription)
  for (let from = 0; from < all.length; from += 1) {
    const size = sizeAt(all, from)
    if (size === 0) continue
    const phrase = all.slice(from, from + size)
    const [concept] = conceptsNamed(phraseOf(phrase))
    const before = all[from - 1]
    from += size - 1
    // "Monthly membership fee" is no fee of any kind.
    const isPart = before !== undefined && !fillers.has(before)
    if (!concept || identity.has(concept.name) || isPart) continue
    if (!isNamed || concept.name === names.concept) add(names, phrase, ofDescription)
  }
}

/** How many words from here on are a name that is known. */
function sizeAt(all: readonly string[], from: number): number {
  for (let size = Math.min(longestPhrase, all.length - from); size > 0; size -= 1) {
    const phrase = all.slice(from, from + size)
    if (size === 1 && fillers.has(phrase[0] ?? '')) return 0
    if (conceptsNamed(phraseOf(phrase)).length > 0) return size
  }
  return 0
}

const notNumbers: ReadonlySet<ValueKind> = new Set([
  ...(['date', 'time', 'yes', 'name', 'address', 'image'] as const),
  ...(['email', 'phone', 'steps', 'text', 'code'] as const),
])

/** A date is no name, however it is called, and a yes no price. */
export function acceptsOf(spec: FieldSpec, unit: Unit | undefined): (kind: ValueKind) => boolean {
  const inner = spec.kind === 'list' ? spec.item : spec
  if (inner.kind === 'object') return () => true
  if (inner.kind === 'boolean') return (kind) => kind === 'yes'
  if (inner.kind === 'number' || inner.kind === 'integer')
    return (kind) => !notNumbers.has(kind) && (kind !== 'duration' || !unit || unit.of === 'time')
  const kind = inner.kind === 'list' ? undefined : kindOfValue(inner)
  if (kind === 'address') return (other) => other === 'address' || other === 'image'
  return kind === 'date' || kind === 'email' ? (other) => other === kind : () => true
}

export function isNumeric(spec: FieldSpec): boolean {
  const inner = spec.kind === 'list' ? spec.item : spec
  return inner.kind === 'number' || inner.kind === 'integer'
}

/** What the values look like: by what is meant, else by the type. */
export function kindOf(names: FieldNames, spec: FieldSpec, { description }: Label): ValueKind | undefined {
  const isText = spec.kind === 'text' && spec.format === undefined
  const isTime =
    /^(?:time|uhrzeit|heure|hora|ora)$/.test(names.own.at(-1) ?? '') ||
    /\bHH:?MM\b|uhrzeit|time of day|24 hours/i.test(description)
  if (isText && isTime && names.kind === 'date') return 'time'
  if (names.kind === undefined && (names.unit?.of === 'money' || names.bound)) return 'price'
  // The words may mean another thing: what is asked for as a date is no price.
  const ofType = spec.kind === 'list' || spec.kind === 'object' ? undefined : kindOfValue(spec)
  if (ofType === 'date' || ofType === 'email' || ofType === 'address')
    return names.kind === 'image' ? 'image' : ofType
  if (ofType === 'yes' && names.kind !== 'yes') return 'yes'
  return names.kind ?? ofType
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
