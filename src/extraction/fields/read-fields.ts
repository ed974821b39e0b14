import { hiddenParts } from '../../content/hidden.ts'
import { tag } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { ObjectSpec } from '../schema/field-spec.ts'
import { type StateItems, stateItems } from '../structured-data/embedded-state.ts'
import { structuredData } from '../structured-data.ts'
import { readCurrency } from '../values/number.ts'
import { better, type Found, type PageContext } from './extracted-value.ts'
import { namesOf } from './field-names.ts'
import { readAddresses } from './from-addresses.ts'
import { readFlags } from './from-flags.ts'
import { fieldOfItem, type ItemPosition, type ItemSource } from './from-items.ts'
import { readLabels } from './from-labels.ts'
import { readNames } from './from-names.ts'
import { readPageFacts } from './from-page.ts'
import { readSections } from './from-sections.ts'
import { readShapes } from './from-shapes.ts'
import { readByType } from './from-value-types.ts'
import { type Line, type Lines, readLines } from './lines.ts'
import { grounded, mainState, rankItems } from './main-entity.ts'
import { leafFieldsOf, phraseIndex, type SchemaField } from './schema-fields.ts'
import { shownValues } from './shown-text.ts'
import { mainHeading, readSubjectTitle, subjectOf } from './subject.ts'

/** Beginnings of headings above other things than the one that the page is about. */
const beginnings =
  /^(?:(?:similar|related|recommended|nearby|popular|trending|recent(?:ly)?|latest|upcoming|other|further)\b|more (?:from|like|in|on|by|about|events?|jobs?|openings?|stories|posts?|products?|homes?|articles?|news)\b|you (?:may|might|will) (?:also|like)|you'll also|(?:people|customers|others|we) also\b|also (?:in|by|like|from)\b|most (?:read|popular|viewed|recent)|top (?:rated|stories|sellers)|best ?sellers|read (?:more|next|also)|(?:up )?next\b|see also|keep reading|editor.s picks|(?:ähnliche|verwandte|weitere|nächste|neueste|aktuelle|beliebte|passende)[rsn]?\b|mehr (?:aus|von|zum|zu|über)\b|(?:andere )?kunden (?:kauften|sahen)|das könnte|auch interessant|meistgelesen|lesen sie auch|empfehlungen|à lire (?:aussi|également)|sur le même|(?:articles?|produits|annonces|offres|biens) (?:similaires|liés|associés)|vous aimerez|autres\b|plus de\b|voir aussi|derni(?:er|ère)s?\b|prochain(?:e)?s?\b|les plus (?:lus|vus)|nos promos|(?:artículos|productos|noticias|ofertas|anuncios) (?:relacionad|similares)|relacionad|también|más (?:de|sobre|leíd|noticias)|otr[oa]s\b|últim[oa]s\b|próxim[oa]s\b|te puede|quizás|(?:articoli|prodotti) (?:correlati|simili)|altr[ie]\b|leggi anche|potrebbe|ultim[ie]\b|prossim[ie]\b|gerelateerd|vergelijkbare|andere\b|lees ook|meer (?:van|over|uit)|relacionad[oa]s|veja também|mais (?:de|lidas)|outr[oa]s\b|関連|おすすめ|人気|新着|最近|その他|こちらも|あわせて)/iu

const weightOfOthers = 0.38
/** What holds more of the lines than this is what the page is about, whatever stands above it. */
const mostOfPage = 0.4
const maxWords = 9
const maxHeadings = 400

/** Lines below headings such as "Similar homes" say little about the subject of the page. */
function lowerOthers({ tree, list, weights, before }: Lines): void {
  let read = 0
  for (const [at, line] of list.entries()) {
    if (line.weight <= weightOfOthers || !isHeading(line) || !beginnings.test(line.text)) continue
    read += 1
    if (read > maxHeadings) return
    const end = sectionEnd({ tree, list, before }, at)
    const last = before[end] ?? list.length
    if (last - at > list.length * mostOfPage || last - at < 2) continue
    for (const other of list.slice(at, last)) other.weight = Math.min(other.weight, weightOfOthers)
    for (let node = line.holder; node < end; node += 1)
      weights[node] = Math.min(weights[node] ?? 1, weightOfOthers)
  }
}

function isHeading({ level, words, pieces }: Line): boolean {
  return level > 1 && words.length <= maxWords && pieces.length <= 4
}

/** Where the section that a heading begins ends: at the next heading beside it of its level, else with what holds both. */
function sectionEnd({ tree, list, before }: Pick<Lines, 'tree' | 'list' | 'before'>, at: number): Node {
  const heading = list[at]
  if (!heading) return 0
  let node: Node = heading.holder
  // A heading may stand in a box of its own.
  while (parentOf(tree, node) > root && (before[endOf(tree, parentOf(tree, node))] ?? 0) <= at + 1)
    node = parentOf(tree, node)
  const parent = parentOf(tree, node)
  const end = endOf(tree, parent)
  for (let next = endOf(tree, node); next < end; next = isText(tree, next) ? next + 1 : endOf(tree, next)) {
    const first = list[before[next] ?? list.length]
    const isBelow = first !== undefined && first.first < endOf(tree, next)
    const inside = list.slice(before[next], before[endOf(tree, next)])
    // A heading above this one in rank begins something else, wherever it stands.
    if (inside.some(({ level }) => level > 0 && level < heading.level)) return next
    if (!isBelow || first.level === 0 || first.level > heading.level) continue
    // The title of a card is no heading beside this one.
    const isAlone = first.holder === next || (before[endOf(tree, next)] ?? 0) - (before[next] ?? 0) === 1
    if (isAlone || tagOf(tree, next) === tag.section) return next
  }
  return end
}

/** A number in one place is the value of one field: of the one that it is surest of. */
function dropRepeated(found: Map<string, Found>, slots: readonly SchemaField[]): void {
  dropGuesses(found, slots)
  const places = new Map<string, { slot: SchemaField; value: Found }>()
  for (const slot of slots) {
    const value = found.get(slot.path)
    if (!value || value.node === undefined || typeof value.value !== 'number' || slot.names.bound) continue
    const key = `${value.node} ${value.value}`
    const known = places.get(key)
    if (!known) places.set(key, { slot, value })
    else if (isSurer(slot, value, known)) {
      found.delete(known.slot.path)
      places.set(key, { slot, value })
    } else if (known.slot.names.concept !== slot.names.concept || !isSame(known.slot, slot))
      found.delete(slot.path)
  }
}

function isSurer(slot: SchemaField, value: Found, known: { slot: SchemaField; value: Found }): boolean {
  return (
    value.score > known.value.score ||
    (value.score === known.value.score && slot.names.own.length < known.slot.names.own.length)
  )
}

/** Whether both are called alike, so that the schema asks for one value twice. */
const isSame = (one: SchemaField, other: SchemaField) => one.names.own.join(' ') === other.names.own.join(' ')

const leastNamed = 0.6
const maxGuess = 0.52

/** A number that was guessed by its look is no value where the page calls it something else. */
function dropGuesses(found: Map<string, Found>, slots: readonly SchemaField[]): void {
  const named = new Map<number, string>()
  for (const { path } of slots) {
    const value = found.get(path)
    if (value?.node !== undefined && value.reader === 'label' && value.score >= leastNamed)
      named.set(value.node, path)
  }
  for (const { path } of slots) {
    const value = found.get(path)
    if (value?.node === undefined || typeof value.value !== 'number' || value.score > maxGuess) continue
    if (named.has(value.node)) found.delete(path)
  }
}

/** Below this a value is a guess, and left out. */
const minScore = 0.35

/** A page as the readers of fields need it. */
export interface ReadablePage {
  tree: Tree
  lines: Lines
  sources: ItemSource[]
  state: StateItems
  context: PageContext
}

export function readablePage(tree: Tree, context: PageContext): ReadablePage {
  const stated = structuredData(tree, context.base)
  const lines = readLines(tree, hiddenParts(tree))
  lowerOthers(lines)
  return {
    ...{ tree, context, lines, state: stateItems(stated.states) },
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
    if (best && best.score >= minScore) found.set(path, best)
  }
  const [main, ...others] = rankItems(page.sources, spec, page.context)
  if (main) readItems({ main, others: others.slice(0, maxOthers) }, spec, offer)
  const { lines, context } = page
  const slots = leafFieldsOf(spec)
  const shown = shownValues(lines, context.language)
  const state = mainState(page, spec, slots)
  if (state)
    readItems({ main: state, others: [] }, spec, (path, value) =>
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
    ...[readAddresses(lines, slots, context), readByType(lines, slots, context, heading)],
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

const maxOthers = 10
/** How far another thing is to be trusted: one of the same type describes the same again. */
const trustInSame = 0.85
const trustInOther = 0.55

function readItems(
  { main, others }: { main: ItemPosition; others: ItemPosition[] },
  spec: ObjectSpec,
  offer: Offer,
  at = '',
): void {
  for (const [name, field] of spec.fields) {
    const path = at === '' ? name : `${at}.${name}`
    const names = namesOf(field, at === '' ? undefined : spec.label)
    if (field.kind === 'object') {
      offerParts(path, fieldOfItem(main, field, names), offer)
      // The page may state the parts of an object without the object: `price` and `currency` of an offer.
      readItems({ main: { ...main, trust: main.trust * 0.95 }, others: [] }, field, offer, path)
      continue
    }
    if (at !== '' && names.isOfOther) continue
    offer(path, fieldOfItem(main, field, names))
    for (const other of others) {
      const isSame = other.thing.types.some((type) => main.thing.types.includes(type))
      const value = fieldOfItem(other, field, names)
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

/** Concepts whose texts state an amount of money. */
const amounts = new Set(['price', 'rent', 'salary', 'salaryMin', 'salaryMax', 'originalPrice', 'deposit'])
const score = 0.5
/** Where a sign stands for several currencies, the country of the page says which. */
const bySign: readonly (readonly [sign: RegExp, language: RegExp, code: string])[] = [
  [/\$/, /^en-us$/i, 'USD'],
  [/\$/, /^en-ca$|^fr-ca$/i, 'CAD'],
  [/\$/, /^en-au$/i, 'AUD'],
  [/¥|円/, /^ja/i, 'JPY'],
  [/¥|元/, /^zh/i, 'CNY'],
  [/\bkr\b/i, /^sv/i, 'SEK'],
  [/\bkr\b/i, /^(?:nb|nn|no)/i, 'NOK'],
  [/\bkr\b/i, /^da/i, 'DKK'],
  [/zł/i, /^pl/i, 'PLN'],
]

/** The currency of an amount that was read from the same page. */
function addCurrencies(found: Map<string, Found>, slots: readonly SchemaField[], language: string): void {
  const wanted = slots.filter(({ names, path }) => names.concept === 'currency' && !found.has(path))
  if (wanted.length === 0) return
  for (const { names, path } of slots) {
    const amount = amounts.has(names.concept ?? '') || names.bound ? found.get(path) : undefined
    const code = amount && currencyIn(amount.text, language)
    if (!amount || code === undefined) continue
    for (const slot of wanted) found.set(slot.path, { ...amount, value: code, score })
    return
  }
}

function currencyIn(text: string, language: string): string | undefined {
  const stated = readCurrency(text.slice(0, 60))
  if (stated !== undefined && /^[A-Z]{3}$/.test(stated)) return stated
  return bySign.find(([sign, spoken]) => sign.test(text) && spoken.test(language))?.[2]
}
