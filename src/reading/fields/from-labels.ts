import { type Node, parentOf, root, type Tree } from '../../content/tree/tree.ts'
import type { ValueWish } from '../schema/wish.ts'
import { coerce } from '../values/coerce.ts'
import type { ValueKind } from '../vocabulary/concept.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, singular } from '../vocabulary/words.ts'
import { better, type Found } from './found.ts'
import { splitText } from './from-things.ts'
import type { Line, Lines } from './lines.ts'
import type { PageContext } from './page-context.ts'
import type { PhraseIndex, Slot } from './slots.ts'

const longestLabel = 5
/** How surely the value belongs to its label, by where it stands. */
const score = { sameLine: 0.85, row: 0.88, nextLine: 0.78, runOn: 0.72, before: 0.68 }

/** Values that stand beside their labels: "Price: 5 €", rows of two cells, a label above or below its value. */
export function readLabels({ tree, list }: Lines, index: PhraseIndex, page: PageContext): Map<Slot, Found> {
  const found = new Map<Slot, Found>()
  const offer = (slot: Slot, value: Found | undefined) => {
    const best = better(found.get(slot), value)
    if (best) found.set(slot, best)
  }
  for (const [at, line] of list.entries()) {
    for (const { slot, weight, rest, side } of labelsOf(line, index)) {
      if ((slot.wish.kind === 'list' && slot.names.kind === 'steps') || slot.names.kind === 'image') continue
      const place = { slot, page, weight: weight * line.weight }
      if (rest === '' && side === 'back') continue
      if (rest !== '') {
        const sure = side === 'colon' || side === 'piece' ? score.sameLine : score.runOn
        if (side !== 'colon' && side !== 'piece' && !isTyped(slot)) continue
        offer(slot, foundIn(place, { text: rest, node: line.first }, sure))
        continue
      }
      const next = list[at + 1]
      const after =
        next && areNear(tree, line, next) && !isLabel(next)
          ? foundIn(
              place,
              { text: next.text, node: next.first },
              isRow(tree, line, next) ? score.row : score.nextLine,
            )
          : undefined
      if (after) offer(slot, after)
      const previous = list[at - 1]
      // "45 min" above "Prep": only where the value cannot be anything else.
      if (!after && isTyped(slot) && previous && areNear(tree, previous, line))
        offer(slot, foundIn(place, { text: previous.text, node: previous.first }, score.before))
    }
  }
  return found
}

interface LabelMatch {
  slot: Slot
  weight: number
  /** What is left of the line; empty where it is the label alone. */
  rest: string
  side: 'colon' | 'piece' | 'front' | 'back'
}

function labelsOf(line: Line, index: PhraseIndex): LabelMatch[] {
  const { text, words } = line
  const colon = text.search(/[:：]/)
  const matches: LabelMatch[] = []
  const add = (phrase: string, rest: string, side: LabelMatch['side']) => {
    for (const { slot, weight } of index.get(phrase) ?? [])
      matches.push({ slot, weight, rest: rest.trim(), side })
  }
  if (colon > 0 && colon <= 60) {
    const label = wordsOf(text.slice(0, colon))
    if (label.length <= longestLabel) add(phraseOf(label), text.slice(colon + 1), 'colon')
    // "Recipe by: Ann": the last words before the colon may be the label.
    if (matches.length === 0 && label.length > 1 && label.length <= longestLabel)
      add(phraseOf(label.slice(1)), text.slice(colon + 1), 'colon')
    if (matches.length > 0) return matches
  }
  if (words.length <= longestLabel) add(phraseOf(words.map(singular)), '', 'piece')
  if (matches.length > 0) return matches
  addPieces(line, add)
  if (matches.length > 0 || text.length > longestRunOn) return matches
  const most = Math.min(longestLabel, words.length - 1)
  for (let size = most; size > 0 && matches.length === 0; size -= 1)
    add(phraseOf(words.slice(0, size)), afterWords(text, size), 'front')
  const front = matches.length
  for (let size = most; size > 0 && matches.length === front; size -= 1)
    add(phraseOf(words.slice(-size)), countBefore(text, size), 'back')
  return matches
}

const longestRunOn = 60

/** A label in an element of its own, in front of its value or behind it. */
function addPieces(
  { pieces }: Line,
  add: (phrase: string, rest: string, side: LabelMatch['side']) => void,
): void {
  if (pieces.length < 2 || pieces.length > 8) return
  const [first = '', ...rest] = pieces
  const label = wordsOf(first)
  if (label.length > 0 && label.length <= longestLabel) add(phraseOf(label), rest.join(' '), 'piece')
  const last = wordsOf(pieces.at(-1) ?? '')
  if (last.length > 0 && last.length <= longestLabel)
    add(phraseOf(last), pieces.slice(0, -1).join(' '), 'piece')
}

function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, 80)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(singular)
}

function afterWords(text: string, count: number): string {
  let left = count
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    left -= 1
    if (left === 0) return text.slice(match.index + match[0].length)
  }
  return ''
}

/** The number in front of the last words, with them: "4 portions" of "Ingredients for 4 portions". */
function countBefore(text: string, count: number): string {
  const all = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
  const label = all.at(-count)?.index ?? 0
  const [number] = /(?:\d[\d.,]*\s*(?:-|–|to|bis|à|a)\s*)?\d[\d.,]*\s*$/.exec(text.slice(0, label)) ?? []
  return number === undefined ? '' : `${number.trim()} ${text.slice(label)}`
}

const typedKinds: ReadonlySet<ValueKind> = new Set([
  'duration',
  'price',
  'count',
  'rating',
  'date',
  'measure',
  'phone',
  'email',
  'yes',
])

/** Whether a wrong text would be noticed: it has another type. */
function isTyped({ wish, names }: Slot): boolean {
  const inner = wish.kind === 'list' ? wish.item : wish
  const isNumber = inner.kind === 'number' || inner.kind === 'integer'
  return (
    (isNumber && names.kind !== undefined) ||
    (names.kind !== undefined && typedKinds.has(names.kind)) ||
    names.concept === 'yield'
  )
}

function isLabel({ words }: Line): boolean {
  return words.length <= 3 && isKnownLabel(phraseOf(words))
}

interface Place {
  slot: Slot
  page: PageContext
  weight: number
}

const mostWordsOfFact = 14

function foundIn(
  { slot, page, weight }: Place,
  given: { text: string; node: Node },
  sure: number,
): Found | undefined {
  const { wish, names } = slot
  const text = given.text.replace(/^[\s:：\-–—|•·]+|[\s|•·]+$/g, '')
  if (text === '' || !fits(text, slot)) return undefined
  const context = { ...page, ...names }
  const base = { text, node: given.node, reader: 'label' as const, score: sure * weight }
  if (wish.kind === 'list') {
    const entries = splitText(text, names)
      .map((part) => coerce(wish.item, part, context))
      .filter((part) => part !== undefined)
    return entries.length === 0 ? undefined : { ...base, value: entries }
  }
  const value = coerce(wish, text, context)
  return value === undefined ? undefined : { ...base, value }
}

/** Whether a text looks like a value of the kind, where its type alone would take anything. */
function fits(text: string, { names, wish }: Slot): boolean {
  const inner: ValueWish = wish.kind === 'list' ? wish.item : wish
  const count = text.split(/\s+/, mostWordsOfFact + 1).length
  if (names.kind === 'text' && names.concept !== undefined && ['description', 'body'].includes(names.concept))
    return true
  if (names.concept === 'yield') return /\d/.test(text) && count <= 8
  if (names.kind === 'date' && inner.kind === 'text' && inner.format === undefined)
    return /\d/.test(text) && count <= 10
  if (names.kind === 'duration' && inner.kind === 'text') return /\d/.test(text) && count <= 8
  if (names.kind === 'rating') return isRating(text)
  if (names.kind === 'price' || names.kind === 'count' || names.kind === 'measure')
    return /\d/.test(text) && count <= mostWordsOfFact
  return count <= mostWordsOfFact
}

/** "4.5 out of 5", but not "9 ratings". */
export function isRating(text: string): boolean {
  if (
    /^\D{0,20}\d+\s*(?:ratings?|reviews?|votes?|bewertungen|avis|opiniones|recensioni|avaliações|beoordelingen)/i.test(
      text,
    )
  )
    return false
  const value = Number(/\d+(?:[.,]\d+)?/.exec(text)?.[0].replace(',', '.'))
  return value <= 5 || (value <= 10 && /\/\s*10|of 10|von 10|sur 10/i.test(text))
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

/** Cells of one row, or a term and what is said of it. */
function isRow(tree: Tree, one: Line, other: Line): boolean {
  return parentOf(tree, one.holder) === parentOf(tree, other.holder) && one.holder !== other.holder
}
