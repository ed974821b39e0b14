import { attr, tag } from '../../content/tree/names.ts'
import { attribute, classOf, type Node, tagOf } from '../../content/tree/tree.ts'
import { decodePercent } from '../../platform/url.ts'
import { readDate } from '../values/date.ts'
import { amountOfMoney } from '../values/number.ts'
import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import { words } from '../vocabulary/words.ts'
import { type FieldReadings, type PageContext, type ReaderInput, readText } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'

const score = { contact: 0.6, price: 0.5, struck: 0.62, date: 0.5, rating: 0.6, availability: 0.55 }
const minWeight = 0.9

export interface Candidate {
  text: string
  node: Node
  score: number
}

export function* readShapes(input: ReaderInput): FieldReadings {
  const { lines, fields, page, heading } = input
  // Keep buttons, although they have a lower weight, because their text shows the availability.
  const near = lines.list
    .slice(Math.max(0, heading - 12), heading + 40)
    .filter(({ weight }) => weight >= 0.55)
  for (const field of fields) {
    const candidate = canReadByShape(field) ? candidateOf(field, near, input) : undefined
    yield [field, candidate && readText(field, { ...candidate, reader: 'label' }, page)]
  }
}

/** False if only a part of the field name has a known meaning, or if the field is of another entity. */
function canReadByShape({ names }: SchemaField): boolean {
  const [first] = names.concept === undefined ? [] : names.phrases.values()
  const maxWeight = Math.max(first ?? 0, ...names.paths.values())
  return !names.isOfOtherEntity && (names.concept === undefined || maxWeight >= 0.75)
}

function candidateOf(
  field: SchemaField,
  nearWithButtons: readonly Line[],
  { lines, fields, page }: ReaderInput,
): Candidate | undefined {
  const near = nearWithButtons.filter(({ weight }) => weight >= minWeight)
  const { names, spec } = field
  const { concept, kind } = names
  if (kind === 'email') return onlyOne(contacts(lines, 'mailto:'))
  if (concept === 'phone')
    return onlyOne(contacts(lines, 'tel:')) ?? labelledPhone(lines) ?? onlyPhoneLine(lines)
  if (concept === 'price' || concept === 'rent')
    return names.bound ? undefined : (firstPrice(near) ?? lowerScore(firstPrice(nearWithButtons)))
  if (concept === 'originalPrice') return struckPrice(near) ?? lowerScore(struckPrice(nearWithButtons))
  if (concept === 'rating' || concept === 'ratingCount') return rating(near, lines, concept)
  if (concept === 'availability') return availability(nearWithButtons)
  if (concept === 'year') return onlyMatchingSegment(near, /^\(?((?:19|20)\d{2})\)?$/)
  if (kind === 'time')
    return onlyMatchingSegment(near, /^\d{1,2}[:.h]\d{2}(?:\s?(?:h|uhr|hrs|am|pm|a\.m\.|p\.m\.))?$/i)
  if (concept === 'duration')
    return onlyMatchingSegment(
      near,
      /^(?:\d{1,2}\s?h(?:rs?|ours?)?\.?\s?(?:\d{1,2}\s?m(?:ins?)?\.?)?|\d{1,3}\s?min(?:utes?|uten|utos|\.)?)(?:\s\(.{1,30}\))?$/i,
    )
  if (names.unit && names.unit.size > 0 && names.unit.of !== 'time' && spec.kind !== 'list')
    return onlyMeasurement(near, names.unit)
  if (kind === 'date' && isOnlyDate(field, fields)) return firstDate(near, lines, page)
  return undefined
}

export function onlyOne(candidates: Iterable<Candidate>): Candidate | undefined {
  let found: Candidate | undefined
  for (const candidate of candidates) {
    if (found && found.text !== candidate.text) return undefined
    found = candidate
  }
  return found
}

export function* matchingSegments(
  lines: readonly Line[],
  test: (text: string) => boolean,
  confidence: number,
): Generator<Candidate> {
  for (const { segments, first: node } of lines)
    for (const text of segments) if (test(text)) yield { text, node, score: confidence }
}

function onlyMatchingSegment(near: readonly Line[], pattern: RegExp): Candidate | undefined {
  return onlyOne(matchingSegments(near, (text) => text.length <= 40 && pattern.test(text), score.date * 0.9))
}

function* contacts({ tree, weights }: Lines, scheme: string): Generator<Candidate> {
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < minWeight) continue
    const href = attribute(tree, node, attr.href)?.trim() ?? ''
    if (!href.toLowerCase().startsWith(scheme)) continue
    const linkText = shownText(tree, node)
    const isNumber = scheme === 'tel:' && /\d{3}/.test(linkText)
    const text = isNumber ? linkText : decodePercent(href.slice(scheme.length).replace(/\?.*$/, ''))
    yield { text, node, score: score.contact }
  }
}

const labelledPhonePattern =
  /(?:\b(?:tel|phone|telephone|telefon|fon|ph|call|téléphone|teléfono|telefono|telefone|mobile|mobil|handy)\b|☎|電話)[^\d+(]{0,12}(\+?[\d(][\d\s().\-/–]{5,25}\d)/iu

function labelledPhone({ list }: Lines): Candidate | undefined {
  const shortLines = list.filter(({ text, weight }) => weight >= minWeight && text.length <= 400)
  return onlyOne(
    shortLines.flatMap(({ text, first: node }) => {
      const [, number] = labelledPhonePattern.exec(text) ?? []
      return number === undefined ? [] : { text: number, node, score: score.contact * 0.95 }
    }),
  )
}

function onlyPhoneLine({ list }: Lines): Candidate | undefined {
  const phoneLines = list.filter(
    ({ text, weight }) => weight >= minWeight && /^\+\d[\d\s()./-]{7,20}\d$/.test(text),
  )
  const [firstLine] = phoneLines
  if (!firstLine || phoneLines.some(({ text }) => text !== firstLine.text)) return undefined
  return { text: firstLine.text, node: firstLine.first, score: score.contact * 0.9 }
}

const numberWithUnit = /^[\d.,'’\s\u00A0\u202F]+\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u

function onlyMeasurement(near: readonly Line[], { of, size }: Unit): Candidate | undefined {
  const hasUnit = (text: string) => {
    const unit = writtenUnit(numberWithUnit.exec(text)?.[1] ?? '')
    return unit?.of === of && unit.size === size
  }
  return onlyOne(matchingSegments(near, hasUnit, score.price))
}

const isBare = (text: string) =>
  !/[:：]/.test(text) && words(text).filter((word) => !/\d/.test(word)).length <= 2

const otherAmountPattern =
  /shipping|delivery|versand|livraison|port\b|envío|spedizione|\/\s*mo|per month|monat|mois|mes\b|save|spar|tax|steuer|deposit|from|ab\b/i

const isRange = (text: string) => /\d\D{0,6}\s(?:[-–—]|to|bis|à|a)\s\D{0,4}\d/u.test(text)

function firstPrice(near: readonly Line[]): Candidate | undefined {
  const isPrice = (text: string) =>
    isMoney(text) && isBare(text) && !otherAmountPattern.test(text) && !isRange(text)
  const unstruckLines = near.filter(({ isStruck }) => !isStruck)
  return matchingSegments(unstruckLines, isPrice, score.price).next().value
}

const lowerScore = (found: Candidate | undefined) => found && { ...found, score: found.score * 0.8 }

function struckPrice(near: readonly Line[]): Candidate | undefined {
  const line = near.find(({ isStruck, text }) => isStruck && isMoney(text))
  return line && { text: line.text, node: line.first, score: score.struck }
}

function rating(near: readonly Line[], lines: Lines, concept: 'rating' | 'ratingCount') {
  for (const { text, first } of near) {
    const ratingText = ratingIn(text)?.[concept]
    if (ratingText !== undefined) return { text: ratingText, node: first, score: score.rating }
  }
  const [from, to] = [near[0]?.first ?? 0, near.at(-1)?.first ?? 0]
  const labelled: Candidate[] = []
  for (let node = from; node < to; node += 1) {
    const label = attribute(lines.tree, node, attr['aria-label']) ?? attribute(lines.tree, node, attr.title)
    const text = label === undefined ? undefined : ratingIn(label)?.[concept]
    if (text !== undefined) labelled.push({ text, node, score: score.rating })
  }
  // Clickable rating stars have one label each.
  return onlyOne(labelled)
}

function availability(near: readonly Line[]): Candidate | undefined {
  const find = (pattern: RegExp) =>
    matchingSegments(near, (text) => text.length <= 80 && pattern.test(text), score.availability).next().value
  // A text that states unavailability takes precedence, because buttons of related items often state availability.
  return find(outOfStock) ?? find(inStock)
}

const unlabelledConcepts = new Set(['published', 'startDate', undefined])

function isOnlyDate(field: SchemaField, fields: readonly SchemaField[]): boolean {
  const { concept, own } = field.names
  const isGeneral = concept !== undefined || /^(?:date|datum|fecha|data|termin|when)$/.test(own.join(' '))
  const dates = fields.filter(
    ({ names, spec }) =>
      names.kind === 'date' && spec.kind !== 'list' && unlabelledConcepts.has(names.concept),
  )
  return unlabelledConcepts.has(concept) && isGeneral && dates.length === 1
}

const otherDate = /updat|modif|aktualis|mis à jour|edited|expire|valid|until/i

function firstDate(near: readonly Line[], { tree }: Lines, { language }: PageContext): Candidate | undefined {
  const [from, to] = [near[0]?.first ?? 0, (near.at(-1)?.first ?? -1) + 1]
  for (let node = Math.max(1, from - 12); node < to; node += 1) {
    if (tagOf(tree, node) !== tag.time) continue
    const text = attribute(tree, node, attr.datetime) ?? shownText(tree, node)
    const surroundings = `${classOf(tree, node) ?? ''} ${shownText(tree, node)}`
    if (!otherDate.test(surroundings) && readDate(text, language)) return { text, node, score: score.date }
  }
  const isDate = (text: string) =>
    words(text).length <= 7 && !otherDate.test(text) && readDate(text, language) !== undefined
  return matchingSegments(near, isDate, score.date * 0.9).next().value
}

export const isMoney = (text: string) => text.length <= 80 && amountOfMoney.test(text)

const number = String.raw`(\d{1,2}(?:[.,]\d{1,2})?)`
const averagePattern = new RegExp(
  String.raw`${number}\s*(?:\/|out of|of|von|sur|de|su|van|av|z)\s*(?:5|10)(?![\d.,%])`,
  'i',
)
const countPattern =
  /(\d[\d.,\u00A0\u202F]*)\s*(?:customer |global |verified |user )?(?:ratings?|reviews?|votes?|bewertungen|rezensionen|avis|opiniones|reseñas|valoraciones|recensioni|avaliações|beoordelingen|anmeldelser|omdömen|opinii|レビュー|件)/i

/** True for "Rate this: 1 out of 5", which invites the visitor to rate. */
export const invitesToRate = (text: string) => /\brate\b|bewerten|noter|puntuar|vota\b/i.test(text)

/** Parses "4.5 out of 5 (123 reviews)" into the average and the count, as far as the text contains them. */
export function ratingIn(text: string) {
  if (text.length > 160 || invitesToRate(text)) return undefined
  const [, average] = averagePattern.exec(text) ?? []
  const [, count] = countPattern.exec(text) ?? []
  const [, bareAverage] =
    count === undefined ? [] : (/^\D{0,12}([0-9](?:[.,]\d{1,2}))(?=\D)/.exec(text) ?? [])
  return { rating: average ?? bareAverage, ratingCount: count }
}

const outOfStock =
  /\b(?:out of stock|sold out|currently unavailable|no longer available|discontinued|nicht (?:auf lager|verfügbar|lieferbar)|ausverkauft|vergriffen|rupture de stock|épuisée?|indisponible|agotad[oa]|sin stock|no disponible|esaurit[oa]|non disponibile|esgotad[oa]|uitverkocht|niet (?:leverbaar|op voorraad)|udsolgt|slutsåld|niedostępny)\b|在庫切れ|売り切れ|品切れ/iu
const inStock =
  /\b(?:in stock|available now|ready to ship|ships (?:today|now|within)|add to (?:cart|basket|bag)|buy now|auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|in den warenkorb|en stock|ajouter au panier|disponible|en existencia|añadir (?:al carrito|a la cesta)|disponibile|aggiungi al carrello|em estoque|adicionar ao carrinho|op voorraad|in winkelwagen|på lager|i lager|dostępny|do koszyka)\b|在庫あり|カートに入れる/iu
