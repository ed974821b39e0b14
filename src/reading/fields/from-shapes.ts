import { attr, tag } from '../../content/tree/names.ts'
import { attribute, isText, type Node, tagOf } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { readDate } from '../values/date.ts'
import { writtenUnit } from '../vocabulary/units.ts'
import { words } from '../vocabulary/words.ts'
import type { Found } from './found.ts'
import type { Line, Lines } from './lines.ts'
import type { PageContext } from './page-context.ts'
import { availabilityIn, isMoney, ratingIn } from './shapes.ts'
import { shownText } from './shown-text.ts'
import type { Slot } from './slots.ts'

const score = { contact: 0.6, price: 0.5, struck: 0.62, date: 0.5, rating: 0.6, stock: 0.55 }
const leastWeight = 0.9
/** Lines before and behind the heading in which a page says the most about its subject. */
const reach = { before: 12, behind: 40 }

interface Candidate {
  text: string
  node: Node
  score: number
}

/** Values that are known by their look, near the heading of the page: prices, dates, ratings, ways of contact, stock. */
export function readShapes(
  lines: Lines,
  slots: readonly Slot[],
  page: PageContext,
  heading: number,
): Map<Slot, Found> {
  // Buttons weigh less, and say whether something can be had.
  const near = lines.list
    .slice(Math.max(0, heading - reach.before), heading + reach.behind)
    .filter(({ weight }) => weight >= 0.55)
  const found = new Map<Slot, Found>()
  for (const slot of slots) {
    const candidate = isMeant(slot) ? candidateOf(slot, slots, near, lines, page) : undefined
    if (!candidate || slot.spec.kind === 'list') continue
    const value = coerce(slot.spec, candidate.text, { ...page, ...slot.names })
    if (value !== undefined) found.set(slot, { value, reader: 'label', ...candidate })
  }
  return found
}

/** Whether the name itself says what the field is, and not only a part of it. */
function isMeant({ names }: Slot): boolean {
  const [first] = names.concept === undefined ? [] : names.phrases.values()
  const most = Math.max(first ?? 0, ...names.paths.values())
  return !names.isOfOther && (names.concept === undefined || most >= 0.75)
}

function candidateOf(
  slot: Slot,
  slots: readonly Slot[],
  around: readonly Line[],
  lines: Lines,
  page: PageContext,
): Candidate | undefined {
  const near = around.filter(({ weight }) => weight >= leastWeight)
  const { concept, kind } = slot.names
  if (kind === 'email') return contact(lines, 'mailto:')
  if (concept === 'phone') return contact(lines, 'tel:') ?? calledNumber(lines) ?? onlyNumber(lines)
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

/** The only part of a line near the heading that looks so. */
function onlyAlone(near: readonly Line[], look: RegExp): Candidate | undefined {
  let found: Candidate | undefined
  for (const { segments, first } of near) {
    for (const text of segments) {
      if (text.length > 40 || !look.test(text)) continue
      if (found && found.text !== text) return undefined
      found = { text, node: first, score: score.date * 0.9 }
    }
  }
  return found
}

/** The only address or number that the content links; of several nothing says which is meant. */
function contact({ tree, weights }: Lines, scheme: string): Candidate | undefined {
  let found: Candidate | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.a || (weights[node] ?? 1) < leastWeight) continue
    const href = attribute(tree, node, attr.href)?.trim() ?? ''
    if (!href.toLowerCase().startsWith(scheme)) continue
    const shown = shownText(tree, node)
    const said = scheme === 'tel:' && /\d{3}/.test(shown) ? shown : decoded(href.slice(scheme.length))
    if (found && found.text !== said) return undefined
    found = { text: said, node, score: score.contact }
  }
  return found
}

const called =
  /(?:\b(?:tel|phone|telephone|telefon|fon|ph|call|téléphone|teléfono|telefono|telefone|mobile|mobil|handy)\b|☎|電話)[^\d+(]{0,12}(\+?[\d(][\d\s().\-/–]{5,25}\d)/iu

/** The only number that a text calls one to call. */
function calledNumber({ list }: Lines): Candidate | undefined {
  let found: Candidate | undefined
  for (const { text, first, weight } of list) {
    if (weight < leastWeight || text.length > 400) continue
    const [, number] = called.exec(text) ?? []
    if (number === undefined) continue
    if (found && found.text !== number) return undefined
    found = { text: number, node: first, score: score.contact * 0.95 }
  }
  return found
}

/** The only line that is a number to call with the code of its country. */
function onlyNumber({ list }: Lines): Candidate | undefined {
  const all = list.filter(
    ({ text, weight }) => weight >= leastWeight && /^\+\d[\d\s()./-]{7,20}\d$/.test(text),
  )
  const [first] = all
  if (!first || all.some(({ text }) => text !== first.text)) return undefined
  return { text: first.text, node: first.first, score: score.contact * 0.9 }
}

function isMeasured({ names, spec }: Slot): boolean {
  const { unit } = names
  return unit !== undefined && unit.size > 0 && unit.of !== 'time' && spec.kind !== 'list'
}

const alone = /^[\d.,'’\s\u00A0\u202F]+\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u

/** The only number of the page in this very unit: "1,240 sqft" for `livingAreaSqft`. */
function measured(near: readonly Line[], { names }: Slot): Candidate | undefined {
  let found: Candidate | undefined
  for (const { segments, first } of near) {
    for (const text of segments) {
      const unit = writtenUnit(alone.exec(text)?.[1] ?? '')
      if (!unit || unit.of !== names.unit?.of || unit.size !== names.unit.size) continue
      if (found && found.text !== text) return undefined
      found = { text, node: first, score: score.price }
    }
  }
  return found
}

function decoded(text: string): string {
  const bare = text.replace(/\?.*$/, '')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
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
  for (const { segments, isStruck, first } of near) {
    if (isStruck) continue
    for (const text of segments)
      if (isMoney(text) && isBare(text) && !besides.test(text) && !isRange(text))
        return { text, node: first, score: score.price }
  }
  return undefined
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
  let found: Candidate | undefined
  for (let node = from; node < to; node += 1) {
    if (isText(lines.tree, node)) continue
    const said = attribute(lines.tree, node, attr['aria-label']) ?? attribute(lines.tree, node, attr.title)
    const read = said === undefined ? undefined : ratingIn(said)?.[concept]
    if (read === undefined) continue
    // Stars to click on have a label each.
    if (found && found.text !== read) return undefined
    found = { text: read, node, score: score.rating }
  }
  return found
}

function stock(near: readonly Line[]): Candidate | undefined {
  let found: Candidate | undefined
  for (const { segments, first } of near) {
    for (const text of segments) {
      const said = availabilityIn(text)
      // What cannot be had is said once, and what can be done with others of its kind everywhere.
      if (said === 'out') return { text, node: first, score: score.stock }
      if (said === 'in') found ??= { text, node: first, score: score.stock }
    }
  }
  return found
}

/** Dates of things that are not the thing itself. */
const named = new Set(['published', 'startDate', undefined])

function isOnlyDate(slot: Slot, slots: readonly Slot[]): boolean {
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
  for (const { segments, first } of near)
    for (const text of segments)
      if (words(text).length <= 7 && !otherDate.test(text) && readDate(text, language))
        return { text, node: first, score: score.date * 0.9 }
  return undefined
}
