import type { FieldNames } from '../fields/field-names.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { ValueWish } from '../schema/wish.ts'
import { coerce } from '../values/coerce.ts'
import type { ValueKind } from '../vocabulary/concept.ts'
import { nameWords, phraseOf, singular } from '../vocabulary/words.ts'
import type { Cell, Column, RecordSet } from './cell.ts'

/** Which column holds a field, and how surely. */
export interface Assignment {
  slot: Slot
  column: Column
  score: number
}

const leastScore = 0.3
const mostSampled = 12

/** The column of each field: by its names, and by how many of its cells are values of the kind. Each column serves one field. */
export function assign(set: RecordSet, slots: readonly Slot[], page: PageContext): Assignment[] {
  const pairs: Assignment[] = []
  for (const slot of slots) {
    for (const column of set.columns) {
      const score = scoreOf(slot, column, set, page)
      if (score >= leastScore) pairs.push({ slot, column, score })
    }
  }
  pairs.sort((one, other) => other.score - one.score)
  const taken = new Set<Slot | Column>()
  return pairs.filter(({ slot, column }) => {
    if (taken.has(slot) || taken.has(column)) return false
    taken.add(slot)
    taken.add(column)
    return true
  })
}

function scoreOf(slot: Slot, column: Column, set: RecordSet, page: PageContext): number {
  const { names } = slot
  if (!hasForm(names, slot, column)) return 0
  const cells = [...column.cells.values()]
  const sample = cells.slice(0, mostSampled)
  const fit = sample.filter((cell) => valueIn(slot, cell, page) !== undefined).length / sample.length
  if (fit < 0.6) return 0
  const named = nameScore(names, column)
  const labelled = sample.filter(({ text }) => labelIn(names, text) > 0).length / sample.length
  const cover = cells.length / set.nodes.length
  const told = Math.max(named, labelled * 0.95)
  const shaped = shapeScore(slot, column, sample)
  return Math.max(told, shaped) * (0.75 + 0.25 * cover) * (0.7 + 0.3 * fit)
}

function hasForm({ kind }: FieldNames, { wish }: Slot, { form }: Column): boolean {
  const inner = wish.kind === 'list' ? wish.item : wish
  if (kind === 'image') return form === 'image'
  if (kind === 'address' || inner.format === 'uri') return form === 'link'
  if (kind === 'date') return form === 'date' || form === 'text'
  return form === 'text'
}

/** How surely one of the names of a column means the field. */
function nameScore({ phrases, own }: FieldNames, { names }: Column): number {
  let best = 0
  for (const name of names) {
    const words = nameWords(name).map(singular)
    if (words.length === 0 || words.length > 8) continue
    for (let from = 0; from < words.length; from += 1) {
      for (let size = Math.min(4, words.length - from); size > 0; size -= 1) {
        const weight = phrases.get(phraseOf(words.slice(from, from + size))) ?? 0
        const isEnd = from + size === words.length
        best = Math.max(best, weight * (size / words.length) ** 0.35 * (isEnd ? 1 : 0.8))
      }
    }
    const shared = words.filter((word) => own.includes(word)).length
    if (shared > 0) best = Math.max(best, ((2 * shared) / (own.length + words.length)) * 0.75)
  }
  return best
}

/** How surely a text begins with a label of the field: "Price: 5 €". */
function labelIn({ phrases }: FieldNames, text: string): number {
  const colon = text.search(/[:：]/)
  if (colon <= 0 || colon > 40) return 0
  return phrases.get(phraseOf(nameWords(text.slice(0, colon)).map(singular))) ?? 0
}

const money = /[\p{Sc}]|\b(?:usd|eur|gbp|chf|kr|sek|nok|dkk|pln|zł|czk|kč|円|元)\b/iu

/** What a column may be by its look alone. */
function shapeScore({ names, wish }: Slot, column: Column, sample: readonly Cell[]): number {
  const share = (test: (text: string) => boolean) =>
    sample.filter(({ text }) => test(text)).length / sample.length
  const inner: ValueWish = wish.kind === 'list' ? wish.item : wish
  const isMain = column.form === 'text' && (column.isHeading || column.isLink)
  if (names.concept === 'title' || names.concept === 'jobTitle') {
    if (!isMain) return 0
    const isText = share((text) => /\p{L}{2}/u.test(text))
    return isText * (column.isHeading ? 0.85 : 0.72) - column.order * 0.002
  }
  const shapes: Partial<Record<ValueKind, number>> = {
    price: share((text) => money.test(text) && text.length < 40) * 0.7,
    date: share((text) => column.form === 'date' || /\d{4}|\d{1,2}[./]\d{1,2}/.test(text)) * 0.6,
    image: 0.6,
    rating: share((text) => /\d[.,]\d|\/\s*5|out of/.test(text) && text.length < 30) * 0.5,
    email: 0.8,
    phone: share((text) => /^[+(\d][\d\s().\-/]{6,}$/.test(text)) * 0.7,
    yes: 0,
  }
  if (names.concept === 'url' || (inner.format === 'uri' && names.kind === 'address'))
    return 0.62 - column.order * 0.01
  if (names.concept === 'description') return share((text) => text.length > 60) * 0.5
  return (names.kind && shapes[names.kind]) ?? 0
}

/** The value of a cell, without the label that it may begin with. */
export function valueIn({ wish, names }: Slot, { text }: Cell, page: PageContext): unknown {
  const bare = labelIn(names, text) > 0 ? text.slice(text.search(/[:：]/) + 1).trim() : text
  const context = { ...page, ...names }
  if (wish.kind !== 'list') return coerce(wish, bare, context)
  const parts = bare
    .split(/\s*[,;|·]\s*/)
    .map((part) => coerce(wish.item, part, context))
    .filter((part) => part !== undefined)
  return parts.length > 0 ? parts : undefined
}
