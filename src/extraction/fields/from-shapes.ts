import { attr, tag } from '../../content/tree/names.ts'
import { attribute, isText, type Node, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { readDate } from '../values/date.ts'
import { amountOfMoney } from '../values/number.ts'
import { writtenUnit } from '../vocabulary/units.ts'
import { decodedText, words } from '../vocabulary/words.ts'
import type { Found, PageContext } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'

const score = { contact: 0.6, price: 0.5, struck: 0.62, date: 0.5, rating: 0.6, stock: 0.55 }
const minWeight = 0.9
/** Lines before and behind the heading in which a page says the most about its subject. */
const reach = { before: 12, behind: 40 }

export interface Candidate {
  text: string
  node: Node
  score: number
}

/** Values that are known by their look, near the heading of the page: prices, dates, ratings, ways of contact, stock. */
export function readShapes(
  lines: Lines,
  slots: readonly SchemaField[],
  page: PageContext,
  heading: number,
): Map<SchemaField, Found> {
  // Buttons weigh less, and say whether something can be had.
  const near = lines.list
    .slice(Math.max(0, heading - reach.before), heading + reach.behind)
    .filter(({ weight }) => weight >= 0.55)
  const found = new Map<SchemaField, Found>()
  for (const slot of slots) {
    const candidate = isMeant(slot) ? candidateOf(slot, slots, near, lines, page) : undefined
    if (!candidate || slot.spec.kind === 'list') continue
    const value = coerce(slot.spec, candidate.text, { ...page, ...slot.names })
    if (value !== undefined) found.set(slot, { value, reader: 'label', ...candidate })
  }
  return found
}

/** Whether the name itself says what the field is, and not only a part of it. */
function isMeant({ names }: SchemaField): boolean {
  const [first] = names.concept === undefined ? [] : names.phrases.values()
  const most = Math.max(first ?? 0, ...names.paths.values())
  return !names.isOfOther && (names.concept === undefined || most >= 0.75)
}

function candidateOf(
  slot: SchemaField,
  slots: readonly SchemaField[],
  around: readonly Line[],
  lines: Lines,
  page: PageContext,
): Candidate | undefined {
  const near = around.filter(({ weight }) => weight >= minWeight)
  const { concept, kind } = slot.names
  if (kind === 'email') return onlyOne(contacts(lines, 'mailto:'))
  if (concept === 'phone') return onlyOne(contacts(lines, 'tel:')) ?? calledNumber(lines) ?? onlyNumber(lines)
  if (concept === 'price' || concept === 'rent')
    return slot.names.bound ? undefined : (firstPrice(near) ?? lessSure(firstPrice(around)))
  if (concept === 'originalPrice') return struckPrice(near) ?? lessSure(struckPrice(around))
  if (concept === 'rating' || concept === 'ratingCount') return rating(near, lines, concept)
  if (concept === 'availability') return stock(around)
  if (concept === 'year') return onlyAlone(near, /^\(?((?:19|20)\d{2})\)?$/)
  if (kind === 'time') return onlyAlone(near, /^\d{1,2}[:.h]\d{2}(?:\s?(?:h|uhr|hrs|am|pm|a\.m\.|p\.m\.))?$/i)
  if (concept === 'duration')
    return onlyAlone(
      near,
      /^(?:\d{1,2}\s?h(?:rs?|ours?)?\.?\s?(?:\d{1,2}\s?m(?:ins?)?\.?)?|\d{1,3}\s?min(?:utes?|uten|utos|\.)?)(?:\s\(.{1,30}\))?$/i,
    )
  if (isMeasured(slot)) return measured(near, slot)
  if (kind === 'date' && isOnlyDate(slot, slots)) return firstDate(near, lines, page)
  return undefined
}

/** The only candidate; undefined where two say different things. */
export function onlyOne(candidates: Iterable<Candidate>): Candidate | undefined {
  let found: Candidate | undefined
  for (const candidate of candidates) {
    if (found && found.text !== candidate.text) return undefined
    found = candidate
  }
  return found
}

/** The parts of lines that pass a test, each as surely. */
export function* partsOf(
  lines: readonly Line[],
  test: (text: string) => boolean,
  sure: number,
): Generator<Candidate> {
  for (const { segments, first: node } of lines)
    for (const text of segments) if (test(text)) yield { text, node, score: sure }
}

/** The only part of a line near the heading that looks so. */
function onlyAlone(near: readonly Line[], look: RegExp): Candidate | undefined {
  return onlyOne(partsOf(near, (text) => text.length <= 40 && look.test(text), score.date * 0.9))
}

/** Addresses or numbers that the content links; of several nothing says which is meant. */
function* contacts({ tree, weights }: Lines, scheme: string): Generator<Candidate> {
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < minWeight) continue
    const href = attribute(tree, node, attr.href)?.trim() ?? ''
    if (!href.toLowerCase().startsWith(scheme)) continue
    const shown = shownText(tree, node)
    const text =
      scheme === 'tel:' && /\d{3}/.test(shown)
        ? shown
        : decodedText(href.slice(scheme.length).replace(/\?.*$/, ''))
    yield { text, node, score: score.contact }
  }
}

const called =
  /(?:\b(?:tel|phone|telephone|telefon|fon|ph|call|téléphone|teléfono|telefono|telefone|mobile|mobil|handy)\b|☎|電話)[^\d+(]{0,12}(\+?[\d(][\d\s().\-/–]{5,25}\d)/iu

/** The only number that a text calls one to call. */
function calledNumber({ list }: Lines): Candidate | undefined {
  const numbers = list.flatMap(({ text, first, weight }) => {
    const [, number] = weight < minWeight || text.length > 400 ? [] : (called.exec(text) ?? [])
    return number === undefined ? [] : [{ text: number, node: first, score: score.contact * 0.95 }]
  })
  return onlyOne(numbers)
}

/** The only line that is a number to call with the code of its country. */
function onlyNumber({ list }: Lines): Candidate | undefined {
  const all = list.filter(({ text, weight }) => weight >= minWeight && /^\+\d[\d\s()./-]{7,20}\d$/.test(text))
  const [first] = all
  if (!first || all.some(({ text }) => text !== first.text)) return undefined
  return { text: first.text, node: first.first, score: score.contact * 0.9 }
}

function isMeasured({ names, spec }: SchemaField): boolean {
  const { unit } = names
  return unit !== undefined && unit.size > 0 && unit.of !== 'time' && spec.kind !== 'list'
}

const alone = /^[\d.,'’\s\u00A0\u202F]+\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u

/** The only number of the page in this very unit: "1,240 sqft" for `livingAreaSqft`. */
function measured(near: readonly Line[], { names }: SchemaField): Candidate | undefined {
  const isMeant = (text: string) => {
    const unit = writtenUnit(alone.exec(text)?.[1] ?? '')
    return unit !== undefined && unit.of === names.unit?.of && unit.size === names.unit.size
  }
  return onlyOne(partsOf(near, isMeant, score.price))
}

/** Words beside an amount say what it is for. */
function isBare(text: string): boolean {
  return !/[:：]/.test(text) && words(text).filter((word) => !/\d/.test(word)).length <= 2
}

/** Amounts that are no price of the thing. */
const besides =
  /shipping|delivery|versand|livraison|port\b|envío|spedizione|\/\s*mo|per month|monat|mois|mes\b|save|spar|tax|steuer|deposit|from|ab\b/i

/** Two amounts are no price. */
const isRange = (text: string) => /\d\D{0,6}\s(?:[-–—]|to|bis|à|a)\s\D{0,4}\d/u.test(text)

function firstPrice(near: readonly Line[]): Candidate | undefined {
  const isPrice = (text: string) => isMoney(text) && isBare(text) && !besides.test(text) && !isRange(text)
  const shown = near.filter(({ isStruck }) => !isStruck)
  return partsOf(shown, isPrice, score.price).next().value
}

/** What stands in a box beside the content. */
function lessSure(found: Candidate | undefined): Candidate | undefined {
  return found && { ...found, score: found.score * 0.8 }
}

function struckPrice(near: readonly Line[]): Candidate | undefined {
  const line = near.find(({ isStruck, text }) => isStruck && isMoney(text))
  return line && { text: line.text, node: line.first, score: score.struck }
}

function rating(
  near: readonly Line[],
  lines: Lines,
  concept: 'rating' | 'ratingCount',
): Candidate | undefined {
  for (const { text, first } of near) {
    const read = ratingIn(text)?.[concept]
    if (read !== undefined) return { text: read, node: first, score: score.rating }
  }
  const [from, to] = [near[0]?.first ?? 0, near.at(-1)?.first ?? 0]
  const labelled: Candidate[] = []
  for (let node = from; node < to; node += 1) {
    if (isText(lines.tree, node)) continue
    const said = attribute(lines.tree, node, attr['aria-label']) ?? attribute(lines.tree, node, attr.title)
    const text = said === undefined ? undefined : ratingIn(said)?.[concept]
    if (text !== undefined) labelled.push({ text, node, score: score.rating })
  }
  // Stars to click on have a label each.
  return onlyOne(labelled)
}

function stock(near: readonly Line[]): Candidate | undefined {
  const said = [...partsOf(near, (text) => availabilityIn(text) !== undefined, score.stock)]
  // What cannot be had is said once, and what can be done with others of its kind everywhere.
  return said.find(({ text }) => availabilityIn(text) === 'out') ?? said[0]
}

/** Dates of things that are not the thing itself. */
const named = new Set(['published', 'startDate', undefined])

function isOnlyDate(slot: SchemaField, slots: readonly SchemaField[]): boolean {
  const dates = slots.filter(({ names, spec }) => names.kind === 'date' && spec.kind !== 'list')
  if (!named.has(slot.names.concept)) return false
  const isGeneral =
    slot.names.concept !== undefined ||
    /^(?:date|datum|fecha|data|termin|when)$/.test(slot.names.own.join(' '))
  return isGeneral && dates.filter(({ names }) => named.has(names.concept)).length === 1
}

const otherDate = /updat|modif|aktualis|mis à jour|edited|expire|valid|until/i

function firstDate(near: readonly Line[], { tree }: Lines, { language }: PageContext): Candidate | undefined {
  const [from, to] = [near[0]?.first ?? 0, (near.at(-1)?.first ?? -1) + 1]
  for (let node = Math.max(1, from - 12); node < to; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.time) continue
    const text = attribute(tree, node, attr.datetime) ?? shownText(tree, node)
    const called = `${attribute(tree, node, attr.class) ?? ''} ${shownText(tree, node)}`
    if (!otherDate.test(called) && readDate(text, language)) return { text, node, score: score.date }
  }
  const isDate = (text: string) =>
    words(text).length <= 7 && !otherDate.test(text) && readDate(text, language) !== undefined
  return partsOf(near, isDate, score.date * 0.9).next().value
}

/** Whether a text states an amount of money. */
export function isMoney(text: string): boolean {
  return text.length <= 80 && amountOfMoney.test(text)
}

const number = String.raw`(\d{1,2}(?:[.,]\d{1,2})?)`
const ofMost = new RegExp(
  String.raw`${number}\s*(?:\/|out of|of|von|sur|de|su|van|av|z)\s*(?:5|10)(?![\d.,%])`,
  'i',
)
const counted =
  /(\d[\d.,\u00A0\u202F]*)\s*(?:customer |global |verified |user )?(?:ratings?|reviews?|votes?|bewertungen|rezensionen|avis|opiniones|reseñas|valoraciones|recensioni|avaliações|beoordelingen|anmeldelser|omdömen|opinii|レビュー|件)/i

/** "4.5 out of 5 (123 reviews)": the average and how many there are, as far as a text says so. */
export function ratingIn(text: string): { rating?: string; ratingCount?: string } | undefined {
  // "Rate this: 1 out of 5" is a question.
  if (text.length > 160 || /\brate\b|bewerten|noter|puntuar|vota\b/i.test(text)) return undefined
  const [, average] = ofMost.exec(text) ?? []
  const [, count] = counted.exec(text) ?? []
  // "4.7 (86 reviews)": a number with a point in front of the count.
  const [, bare] = count === undefined ? [] : (/^\D{0,12}([0-9](?:[.,]\d{1,2}))(?=\D)/.exec(text) ?? [])
  const rating = average ?? bare
  if (rating === undefined && count === undefined) return undefined
  return {
    ...(rating === undefined ? {} : { rating }),
    ...(count === undefined ? {} : { ratingCount: count }),
  }
}

const outOfStock =
  /\b(?:out of stock|sold out|currently unavailable|no longer available|discontinued|nicht (?:auf lager|verfügbar|lieferbar)|ausverkauft|vergriffen|rupture de stock|épuisée?|indisponible|agotad[oa]|sin stock|no disponible|esaurit[oa]|non disponibile|esgotad[oa]|uitverkocht|niet (?:leverbaar|op voorraad)|udsolgt|slutsåld|niedostępny)\b|在庫切れ|売り切れ|品切れ/iu
const inStock =
  /\b(?:in stock|available now|ready to ship|ships (?:today|now|within)|add to (?:cart|basket|bag)|buy now|auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|in den warenkorb|en stock|ajouter au panier|disponible|en existencia|añadir (?:al carrito|a la cesta)|disponibile|aggiungi al carrello|em estoque|adicionar ao carrinho|op voorraad|in winkelwagen|på lager|i lager|dostępny|do koszyka)\b|在庫あり|カートに入れる/iu

/** Whether a short text says that something can be had. */
export function availabilityIn(text: string): 'in' | 'out' | undefined {
  if (text.length > 80) return undefined
  if (outOfStock.test(text)) return 'out'
  return inStock.test(text) ? 'in' : undefined
}
