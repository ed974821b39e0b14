import { findHiddenParts } from '../../content/hidden.ts'
import { tag } from '../../content/tree/names.ts'
import { endOf, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { ObjectSpec } from '../schema/field-spec.ts'
import { stateItems } from '../structured-data/embedded-state.ts'
import { structuredData } from '../structured-data.ts'
import { readCurrency } from '../values/number.ts'
import { better, type ExtractedValue, type PageContext, type ReaderInput } from './extracted-value.ts'
import { namesOf } from './field-names.ts'
import { readAddresses } from './from-addresses.ts'
import { readFlags } from './from-flags.ts'
import { type EntitySource, fieldOfItem, type SourceItem } from './from-items.ts'
import { readLabels } from './from-labels.ts'
import { readNames } from './from-names.ts'
import { readPageFacts } from './from-page.ts'
import { readSections } from './from-sections.ts'
import { readShapes } from './from-shapes.ts'
import { readByType } from './from-value-types.ts'
import { type Line, type Lines, readLines } from './lines.ts'
import { lowerIfUnshown, mainState, rankItems } from './main-entity.ts'
import { leafFieldsOf, phraseIndex, type SchemaField } from './schema-fields.ts'
import { shownValues } from './shown-text.ts'
import { mainHeading, readSubjectTitle, subjectOf } from './subject.ts'

const otherSectionPattern =
  /^(?:(?:similar|related|recommended|nearby|popular|trending|recent(?:ly)?|latest|upcoming|other|further)\b|more (?:from|like|in|on|by|about|events?|jobs?|openings?|stories|posts?|products?|homes?|articles?|news)\b|you (?:may|might|will) (?:also|like)|you'll also|(?:people|customers|others|we) also\b|also (?:in|by|like|from)\b|most (?:read|popular|viewed|recent)|top (?:rated|stories|sellers)|best ?sellers|read (?:more|next|also)|(?:up )?next\b|see also|keep reading|editor.s picks|(?:ähnliche|verwandte|weitere|nächste|neueste|aktuelle|beliebte|passende)[rsn]?\b|mehr (?:aus|von|zum|zu|über)\b|(?:andere )?kunden (?:kauften|sahen)|das könnte|auch interessant|meistgelesen|lesen sie auch|empfehlungen|à lire (?:aussi|également)|sur le même|(?:articles?|produits|annonces|offres|biens) (?:similaires|liés|associés)|vous aimerez|autres\b|plus de\b|voir aussi|derni(?:er|ère)s?\b|prochain(?:e)?s?\b|les plus (?:lus|vus)|nos promos|(?:artículos|productos|noticias|ofertas|anuncios) (?:relacionad|similares)|relacionad|también|más (?:de|sobre|leíd|noticias)|otr[oa]s\b|últim[oa]s\b|próxim[oa]s\b|te puede|quizás|(?:articoli|prodotti) (?:correlati|simili)|altr[ie]\b|leggi anche|potrebbe|ultim[ie]\b|prossim[ie]\b|gerelateerd|vergelijkbare|andere\b|lees ook|meer (?:van|over|uit)|relacionad[oa]s|veja também|mais (?:de|lidas)|outr[oa]s\b|関連|おすすめ|人気|新着|最近|その他|こちらも|あわせて)/iu

const otherSectionWeight = 0.38
/** A larger share of the page lines is the main content, even with such a heading. */
const maxSectionShare = 0.4
const maxWords = 9
const maxHeadings = 400

function lowerOtherSections(lines: Lines): void {
  const { list, weights, linesBefore } = lines
  let sectionCount = 0
  for (const [at, line] of list.entries()) {
    if (line.weight <= otherSectionWeight || !isHeading(line) || !otherSectionPattern.test(line.text))
      continue
    sectionCount += 1
    if (sectionCount > maxHeadings) return
    const end = sectionEnd(lines, at)
    const last = linesBefore[end] ?? list.length
    if (last - at > list.length * maxSectionShare || last - at < 2) continue
    for (const other of list.slice(at, last)) other.weight = Math.min(other.weight, otherSectionWeight)
    for (let node = line.holder; node < end; node += 1)
      weights[node] = Math.min(weights[node] ?? 1, otherSectionWeight)
  }
}

const isHeading = ({ level, words, pieces }: Line) =>
  level > 1 && words.length <= maxWords && pieces.length <= 4

/** Returns the next sibling heading of the same level or above, else the end of the parent. */
function sectionEnd({ tree, list, linesBefore }: Lines, at: number): Node {
  const heading = list[at]
  if (!heading) return 0
  let node: Node = heading.holder
  while (parentOf(tree, node) > root && (linesBefore[endOf(tree, parentOf(tree, node))] ?? 0) <= at + 1)
    node = parentOf(tree, node)
  const parent = parentOf(tree, node)
  const end = endOf(tree, parent)
  for (let next = endOf(tree, node); next < end; next = endOf(tree, next)) {
    const first = list[linesBefore[next] ?? list.length]
    const isBelow = first !== undefined && first.first < endOf(tree, next)
    const inside = list.slice(linesBefore[next], linesBefore[endOf(tree, next)])
    // A heading of a higher level ends the section, at any depth.
    if (inside.some(({ level }) => level > 0 && level < heading.level)) return next
    if (!isBelow || first.level === 0 || first.level > heading.level) continue
    // The title of a card is not a sibling heading.
    const isAlone = first.holder === next || inside.length === 1
    if (isAlone || tagOf(tree, next) === tag.section) return next
  }
  return end
}

/** Removes numbers that several fields have from the same node, except from the field with the highest confidence. */
function dropRepeated(valuesByPath: Map<string, ExtractedValue>, fields: readonly SchemaField[]): void {
  const valuesByNode = new Map<string, { field: SchemaField; value: ExtractedValue }>()
  for (const field of fields) {
    const value = valuesByPath.get(field.path)
    if (!value || value.node === undefined || typeof value.value !== 'number' || field.names.bound) continue
    const key = `${value.node} ${value.value}`
    const previous = valuesByNode.get(key)
    const { concept, own } = field.names
    const other = previous?.field.names
    const lead = value.score - (previous?.value.score ?? 0)
    if (!previous || !other || lead > 0 || (lead === 0 && own.length < other.own.length)) {
      if (previous) valuesByPath.delete(previous.field.path)
      valuesByNode.set(key, { field, value })
    } else if (concept !== other.concept || own.join(' ') !== other.own.join(' '))
      // Only a schema that requests one value twice has it twice.
      valuesByPath.delete(field.path)
  }
}

const minLabelScore = 0.6
const maxGuessScore = 0.52

/** Removes numbers that were guessed by format, if a label assigns the same node to another field. */
function dropGuesses(valuesByPath: Map<string, ExtractedValue>): void {
  const isLabelled = ({ reader, score }: ExtractedValue) => reader === 'label' && score >= minLabelScore
  const labelled = [...valuesByPath.values()].filter(isLabelled)
  const labelledNodes = new Set(labelled.map(({ node }) => node))
  for (const [path, { node, value, score }] of valuesByPath)
    if (node !== undefined && typeof value === 'number' && score <= maxGuessScore && labelledNodes.has(node))
      valuesByPath.delete(path)
}

const minScore = 0.35

export type ReadablePage = ReturnType<typeof readablePage>

export function readablePage(tree: Tree, context: PageContext) {
  const pageData = structuredData(tree, context.base)
  const lines = readLines(tree, findHiddenParts(tree))
  lowerOtherSections(lines)
  const sources: EntitySource[] = [
    { reader: 'json-ld', entities: pageData.jsonLd, trust: 1 },
    { reader: 'microdata', entities: pageData.microdata, trust: 0.98 },
    { reader: 'rdfa', entities: pageData.rdfa, trust: 0.97 },
  ]
  return { context, lines, state: stateItems(pageData.states), sources }
}

export function readFields(page: ReadablePage, spec: ObjectSpec): Map<string, ExtractedValue> {
  const valuesByPath = new Map<string, ExtractedValue>()
  const offer: Offer = (path, value) => {
    const bestValue = better(valuesByPath.get(path), value)
    if (bestValue && bestValue.score >= minScore) valuesByPath.set(path, bestValue)
  }
  const [main, ...others] = rankItems(page.sources, spec, page.context)
  if (main) readItems({ main, others: others.slice(0, maxOthers) }, spec, offer)
  const { lines, context } = page
  const fields = leafFieldsOf(spec)
  const shown = shownValues(lines, context.language)
  const offerState: Offer = (path, value) => offer(path, value && lowerIfUnshown(value, shown))
  const state = mainState(page, spec, fields)
  if (state) readItems({ main: state, others: [] }, spec, offerState)
  const headingNode = mainHeading(lines, context.title)
  const heading = headingNode === undefined ? 0 : (lines.linesBefore[headingNode] ?? 0)
  const input: ReaderInput = { lines, fields, index: phraseIndex(fields), page: context, heading }
  const labelled = [readLabels(input), readSections(input)]
  const subject = subjectOf(lines, labelled)
  const readings = [
    ...[...labelled, readNames(input, subject), readPageFacts(input), readSubjectTitle(input, subject)],
    ...[readShapes(input), readFlags(input), readAddresses(input), readByType(input)],
  ]
  for (const values of readings) for (const [field, value] of values) offer(field.path, value)
  dropGuesses(valuesByPath)
  dropRepeated(valuesByPath, fields)
  addCurrencies(valuesByPath, fields, context.language)
  return valuesByPath
}

type Offer = (path: string, value: ExtractedValue | undefined) => void

const maxOthers = 10
/** An item of the same type probably describes the same entity. */
const trustInSame = 0.85
const trustInOther = 0.55

function readItems(
  { main, others }: { main: SourceItem; others: SourceItem[] },
  spec: ObjectSpec,
  offer: Offer,
  parentPath = '',
): void {
  for (const [name, field] of spec.fields) {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    const names = namesOf(field, parentPath === '' ? undefined : spec.label)
    if (field.kind === 'object') {
      offerParts(path, fieldOfItem(main, field, names), offer)
      // The item may have the properties of the object itself: `price` and `currency` without an offer.
      readItems({ main: { ...main, trust: main.trust * 0.95 }, others: [] }, field, offer, path)
      continue
    }
    if (parentPath !== '' && names.isOfOtherEntity) continue
    offer(path, fieldOfItem(main, field, names))
    for (const other of others) {
      const isSameType = other.entity.types.some((type) => main.entity.types.includes(type))
      const value = fieldOfItem(other, field, names)
      if (value) offer(path, { ...value, score: value.score * (isSameType ? trustInSame : trustInOther) })
    }
  }
}

/** Offers an object field by field, so that each field competes with other extractors. */
function offerParts(path: string, found: ExtractedValue | undefined, offer: Offer): void {
  for (const [name, part] of found?.inner ?? []) {
    const isObject = part.inner !== undefined && !Array.isArray(part.value)
    if (isObject) offerParts(`${path}.${name}`, part, offer)
    else offer(`${path}.${name}`, part)
  }
}

const amountConcepts = new Set('price rent salary salaryMin salaryMax originalPrice deposit'.split(' '))
const currencyScore = 0.5
/** Currency by symbol and page language, for symbols that belong to several currencies. */
const currencySymbols: readonly (readonly [symbol: RegExp, language: RegExp, code: string])[] = [
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

function addCurrencies(
  valuesByPath: Map<string, ExtractedValue>,
  fields: readonly SchemaField[],
  language: string,
): void {
  const currencyFields = fields.filter(
    ({ names, path }) => names.concept === 'currency' && !valuesByPath.has(path),
  )
  if (currencyFields.length === 0) return
  for (const { names, path } of fields) {
    const isAmount = amountConcepts.has(names.concept ?? '') || names.bound !== undefined
    const amount = isAmount ? valuesByPath.get(path) : undefined
    const code = amount && currencyIn(amount.text, language)
    if (!amount || code === undefined) continue
    for (const field of currencyFields)
      valuesByPath.set(field.path, { ...amount, value: code, score: currencyScore })
    return
  }
}

function currencyIn(text: string, language: string): string | undefined {
  const currency = readCurrency(text.slice(0, 60))
  if (currency !== undefined && /^[A-Z]{3}$/.test(currency)) return currency
  return currencySymbols.find(
    ([symbol, languagePattern]) => symbol.test(text) && languagePattern.test(language),
  )?.[2]
}
