import { attr, tag } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import { money } from '../values/number.ts'
import { isKnownLabel, type ValueKind } from '../vocabulary/concepts.ts'
import { phraseOf } from '../vocabulary/words.ts'
import { better, type Found, type PageContext } from './extracted-value.ts'
import { isNumeric } from './field-names.ts'
import { splitText } from './from-items.ts'
import { ratingIn } from './from-shapes.ts'
import { labelsOf } from './labels-of.ts'
import type { Line, Lines } from './lines.ts'
import type { PhraseIndex, SchemaField } from './schema-fields.ts'

/** How surely the value belongs to its label, by where it stands. */
const score = { sameLine: 0.85, row: 0.88, nextLine: 0.78, runOn: 0.72, before: 0.68 }

/** A label with more other values than this is one of records. */
const mostSame = 3

/** Values that stand beside their labels: "Price: 5 €", rows of two cells, a label above or below its value. */
export function readLabels(
  { tree, list }: Lines,
  index: PhraseIndex,
  page: PageContext,
): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  const others = new Map<SchemaField, Set<unknown>>()
  const offer = (slot: SchemaField, value: Found | undefined) => {
    const known = found.get(slot)
    const best = better(known, value)
    if (best) found.set(slot, best)
    if (!value || slot.spec.kind === 'list') return
    // Values that are as sure belong to several things.
    if (!known || value.score > known.score) others.set(slot, new Set([value.value]))
    else if (value.score === known.score) others.get(slot)?.add(value.value)
  }
  for (const [at, line] of list.entries()) {
    if (line.isStruck) continue
    for (const { slot, weight, rest, side } of labelsOf(line, index)) {
      const isProse = slot.spec.kind === 'list' && prose.has(slot.names.concept ?? '')
      if ((isProse && !(side === 'colon' && isEnumeration(rest))) || slot.names.kind === 'image') continue
      // Where a link leads does not stand in front of what it is called.
      if (slot.names.kind === 'address' && line.text.startsWith(rest) && rest !== '') continue
      // The address of the page stands in its head.
      if (slot.names.concept === 'url') continue
      const label = { slot, page, weight: weight * line.weight, tree }
      if (rest === '' && side === 'back') continue
      if (rest !== '') {
        const isSure = side === 'colon' || side === 'piece'
        const isTold =
          isSure ||
          (side === 'by' && isNamed(slot)) ||
          (isCode(slot) && (side === 'code' || codeShape.test(rest)))
        if (!isTold && !isTyped(slot) && !isByline(slot, line, rest) && !isCounted(slot, rest)) continue
        const listed = isProse ? rest.split(/,\s+/).join('\n') : rest
        const said = slot.names.kind === 'rating' ? (ratingIn(line.text)?.rating ?? rest) : listed
        offer(slot, foundIn(label, { text: said, line }, isSure ? score.sameLine : score.runOn))
        continue
      }
      const next = nextOf(list, at)
      const items = next && slot.spec.kind === 'list' ? itemsFrom(tree, list, at + 1) : []
      const after =
        next &&
        areNear(tree, line, next) &&
        (isCell(tree, next) || !isLabel(next)) &&
        !areItems(tree, line, next)
          ? foundIn(
              label,
              { text: items.length > 1 ? items.join('\n') : next.text, line: next },
              isRow(tree, line, next) ? score.row : score.nextLine,
            )
          : undefined
      if (after) offer(slot, after)
      const previous = list[at - 1]
      // "45 min" above "Prep": only where the value cannot be anything else.
      if (!after && isTyped(slot) && previous && areNear(tree, previous, line))
        offer(slot, foundIn(label, { text: previous.text, line: previous }, score.before))
    }
  }
  for (const [slot, values] of others) if (values.size > mostSame) found.delete(slot)
  return found
}

const isNamed = ({ names, spec }: SchemaField) =>
  spec.kind === 'text' && (names.kind === 'name' || names.kind === undefined)
const isCode = ({ names, spec }: SchemaField) =>
  spec.kind === 'text' && (names.kind === 'code' || names.kind === undefined)

const codeShape = /^[.:#\s]*[A-Z]{0,5}[-/#]?\d[\w./-]{1,20}$/

/** "by Ann Lee": a name behind a word that could stand in any sentence. */
function isByline({ names, spec }: SchemaField, { weight }: Line, rest: string): boolean {
  const parts = spec.kind === 'list' ? rest.split(/\s*,\s*|\s+(?:and|und|et|y|e|en|og|och|&)\s+/) : [rest]
  const areNames = parts.every((part) => isPersonName(part.trim()))
  return names.concept === 'author' && weight > 0.5 && areNames
}

/** Two to four parts that begin with a capital letter; a part may follow without a space, as in "McDonald". */
function isPersonName(text: string): boolean {
  const words = text.split(/\s/)
  const isName = words.length <= 4 && words.every((word) => /^\p{Lu}[\p{L}\p{M}.'’-]*$/u.test(word))
  return isName && (words.length > 1 || /.\p{Lu}/u.test(text))
}

/** "Delivery time 3-5 days": a text that begins with a number is no sentence. */
function isCounted({ names, spec }: SchemaField, rest: string): boolean {
  return (
    spec.kind === 'text' &&
    (names.kind === 'text' || names.kind === 'code') &&
    /^\d/.test(rest) &&
    rest.split(/\s+/, 5).length <= 4
  )
}

/** "health, dental, pension": several short things in a line. */
function isEnumeration(text: string): boolean {
  const parts = text.split(/,\s+|\s+(?:and|und|et|y)\s+/)
  return parts.length > 1 && parts.every((part) => part.split(' ').length <= 4)
}

/** Lists of sentences stand in sections of their own. */
const prose = new Set(['ingredients', 'instructions', 'responsibilities', 'requirements', 'benefits'])
const maxItems = 100

/** The lines of a list that begins here: those of its siblings, or those that breaks part from it. */
function itemsFrom(tree: Tree, list: readonly Line[], at: number): string[] {
  const first = list[at]
  const label = list[at - 1]
  if (!first || !label) return []
  if (first.segments.length > 1) return first.segments
  const container = parentOf(tree, first.holder)
  const items: string[] = []
  for (const line of list.slice(at, at + maxItems)) {
    const isBeside =
      parentOf(tree, line.holder) === container && tagOf(tree, line.holder) === tagOf(tree, first.holder)
    // Beside the label itself there may be anything.
    const isOfList = line.holder === first.holder || (isBeside && container !== parentOf(tree, label.holder))
    if (!isOfList || line.level > 0 || (items.length > 0 && (isLabel(line) || /[:：]$/.test(line.text))))
      break
    items.push(line.text)
  }
  return items
}

/** What is crossed out is passed by. */
function nextOf(list: readonly Line[], at: number): Line | undefined {
  const next = list[at + 1]
  return next?.isStruck ? list[at + 2] : next
}

const typedKinds: ReadonlySet<ValueKind> = new Set([
  ...(['duration', 'price', 'count', 'rating', 'date', 'measure', 'phone', 'email', 'yes'] as const),
])

/** Whether a wrong text would be noticed: it has another type. */
function isTyped({ spec, names }: SchemaField): boolean {
  const isKnown = names.kind !== undefined && (isNumeric(spec) || typedKinds.has(names.kind))
  return isKnown || names.concept === 'yield'
}

function isLabel({ words }: Line): boolean {
  return words.length <= 3 && isKnownLabel(phraseOf(words))
}

/** What all values that may belong to one label have in common. */
interface LabelContext {
  slot: SchemaField
  page: PageContext
  weight: number
  tree: Tree
}

const maxWordsOfFact = 14

function foundIn(
  { slot, page, weight, tree }: LabelContext,
  given: { text: string; line: Line },
  sure: number,
): Found | undefined {
  const { spec, names } = slot
  const shown = given.text.replace(/^(?:[\s:：\-–—|•·]|[.#](?=\s))+|[\s|•·]+$/g, '')
  const text = names.kind === 'address' ? (addressIn(tree, given.line) ?? shown) : shown
  if (text === '' || !fits(text, slot)) return undefined
  const context = { ...page, ...names }
  const base = { text, node: given.line.first, reader: 'label' as const, score: sure * weight }
  if (spec.kind === 'list') {
    const entries = splitText(text, names)
      .map((part) => coerce(spec.item, part, context))
      .filter((part) => part !== undefined)
    return entries.length === 0 ? undefined : { ...base, value: entries }
  }
  const value = coerce(spec, text, context)
  return value === undefined ? undefined : { ...base, value }
}

/** The address of the link that a line holds. */
function addressIn(tree: Tree, { holder, first }: Line): string | undefined {
  const end = Math.min(endOf(tree, holder), first + maxNodes)
  for (let node = Math.max(holder, first - maxNodes); node < end; node += 1)
    if (!isText(tree, node) && tagOf(tree, node) === tag.a) return attribute(tree, node, attr.href)
  return undefined
}

const maxNodes = 40

/** Whether a text looks like a value of the kind, where its type alone would take anything. */
function fits(text: string, { names, spec }: SchemaField): boolean {
  const inner: ValueSpec = spec.kind === 'list' ? spec.item : spec
  const count = text.split(/\s+/, maxWordsOfFact + 1).length
  if (names.kind === 'text' && names.concept !== undefined && ['description', 'body'].includes(names.concept))
    return true
  if (names.concept === 'yield') return /\d/.test(text) && count <= 8
  if (names.kind === 'date' && inner.kind === 'text' && inner.format === undefined)
    return /\d/.test(text) && count <= 10
  if (names.kind === 'duration' && inner.kind === 'text') return /\d/.test(text) && count <= 8
  if (names.kind === 'rating') return isRating(text)
  if (names.kind === 'price' && (inner.kind === 'number' || inner.kind === 'integer'))
    return isPrice(text, count)
  if (names.kind === 'count' || names.kind === 'measure' || names.kind === 'price')
    return /\d/.test(text) && count <= maxWordsOfFact
  return count <= maxWordsOfFact
}

/** An amount, or a number with hardly a word: "48 hours" is no price. */
function isPrice(text: string, count: number): boolean {
  if (!/\d/.test(text) || count > maxWordsOfFact) return false
  return money.test(text) || (/^\D{0,3}[\d.,'’\s]+\D{0,6}$/.test(text) && !/\d:\d/.test(text))
}

/** "4.5 out of 5", but not "9 ratings". */
export function isRating(text: string): boolean {
  if (
    /^\D{0,20}\d[\d.,]*\s?k?\s*(?:ratings?|reviews?|votes?|bewertungen|avis|opiniones|recensioni|avaliações|beoordelingen)/i.test(
      text,
    )
  )
    return false
  const value = Number(/\d+(?:[.,]\d+)?/.exec(text)?.[0].replace(',', '.'))
  return value <= 5 || (value <= 10 && /\/\s*10|of 10|von 10|sur 10/i.test(text))
}

/** What is said of a term or beside the head of a row is a value, whatever it is called elsewhere. */
function isCell(tree: Tree, { holder }: Line): boolean {
  return tagOf(tree, holder) === tag.dd || tagOf(tree, holder) === tag.td
}

/** Items of one list stand for themselves. */
function areItems(tree: Tree, one: Line, other: Line): boolean {
  const isItem = ({ holder }: Line) => tagOf(tree, holder) === tag.li
  return isItem(one) && isItem(other) && parentOf(tree, one.holder) === parentOf(tree, other.holder)
}

const nearest = 4

/** Whether two lines stand together: few elements part them. */
function areNear(tree: Tree, one: Line, other: Line): boolean {
  const around = new Set<Node>()
  let node = one.holder
  for (let up = 0; up < nearest && node > root; up += 1) {
    around.add(node)
    node = parentOf(tree, node)
  }
  around.add(node)
  node = other.holder
  for (let up = 0; up < nearest; up += 1) {
    if (around.has(node)) return node > root
    node = parentOf(tree, node)
  }
  return false
}

/** Cells of one row, a term and what is said of it, or two lines in a box of their own. */
function isRow(tree: Tree, one: Line, other: Line): boolean {
  if (parentOf(tree, one.holder) !== parentOf(tree, other.holder) || one.holder === other.holder) return false
  return tagOf(tree, one.holder) !== tag.li
}
