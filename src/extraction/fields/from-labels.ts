import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, endOf, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { money } from '../values/number.ts'
import { isKnownLabel, type ValueKind } from '../vocabulary/concepts.ts'
import { phraseOf } from '../vocabulary/words.ts'
import {
  better,
  coerceTexts,
  type FieldValues,
  type MaybeValue,
  type PageContext,
  type ReaderInput,
} from './extracted-value.ts'
import { isNumeric } from './field-names.ts'
import { splitText } from './from-items.ts'
import { invitesToRate, ratingIn } from './from-shapes.ts'
import { labelsOf } from './labels-of.ts'
import { findAncestor, type Line, type Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { shownText } from './shown-text.ts'
import { cellTags, readTableCells, type TableCell } from './table-rows.ts'

const score = { sameLine: 0.85, row: 0.88, nextLine: 0.78, runOn: 0.72, before: 0.68 }

/** If a field has more values of equal confidence, its label is part of several records. */
const maxDistinctValues = 3

export function readLabels({ lines, index, page }: ReaderInput): FieldValues {
  const { tree } = lines
  const valuesByField: FieldValues = new Map()
  const distinctValues = new Map<SchemaField, Set<unknown>>()
  const cells = readTableCells(tree)
  const offer = (field: SchemaField, value: MaybeValue) => {
    const previous = valuesByField.get(field)
    const bestValue = better(previous, value)
    if (bestValue) valuesByField.set(field, bestValue)
    if (!value || field.spec.kind === 'list') return
    if (!previous || value.score > previous.score) distinctValues.set(field, new Set([value.value]))
    else if (value.score === previous.score) distinctValues.get(field)?.add(value.value)
  }
  for (const [at, line] of lines.list.entries()) {
    if (line.isStruck) continue
    for (const { field, weight, rest, side } of labelsOf(line, index)) {
      const isProse = field.spec.kind === 'list' && proseConcepts.has(field.names.concept ?? '')
      if ((isProse && !(side === 'colon' && isEnumeration(rest))) || field.names.kind === 'image') continue
      // A text before the label is not the value of a URL field.
      if (field.names.kind === 'address' && line.text.startsWith(rest) && rest !== '') continue
      if (field.names.kind === 'rating' && invitesToRate(line.text)) continue
      // The page URL is read from the page head.
      if (field.names.concept === 'url') continue
      const label = { field, page, weight: weight * line.weight, tree }
      if (rest !== '') {
        const isReliable = side === 'colon' || side === 'piece'
        const isConfirmed =
          isReliable ||
          (side === 'by' && isNameField(field)) ||
          (isCodeField(field) && (side === 'code' || codeShape.test(rest)))
        if (!isConfirmed && !isTyped(field) && !isByline(field, line, rest) && !isCounted(field, rest))
          continue
        const listText = isProse ? rest.split(/,\s+/).join('\n') : rest
        const valueText = field.names.kind === 'rating' ? (ratingIn(line.text)?.rating ?? rest) : listText
        const confidence = isReliable ? score.sameLine : score.runOn
        offer(field, readLabelValue(label, { text: valueText, line }, confidence))
        continue
      }
      offer(field, readNearLabel(label, { lines, cells, at }))
    }
  }
  for (const [field, values] of distinctValues)
    if (values.size > maxDistinctValues) valuesByField.delete(field)
  return valuesByField
}

const isNameField = ({ names, spec }: SchemaField) =>
  spec.kind === 'text' && (names.kind === 'name' || names.kind === undefined)
const isCodeField = ({ names, spec }: SchemaField) =>
  spec.kind === 'text' && (names.kind === 'code' || names.kind === undefined)

const codeShape = /^[.:#\s]*[A-Z]{0,5}[-/#]?\d[\w./-]{1,20}$/

function isByline({ names, spec }: SchemaField, { weight }: Line, rest: string): boolean {
  const parts = spec.kind === 'list' ? rest.split(/\s*,\s*|\s+(?:and|und|et|y|e|en|og|och|&)\s+/) : [rest]
  return names.concept === 'author' && weight > 0.5 && parts.every((part) => isPersonName(part.trim()))
}

function isPersonName(text: string): boolean {
  const words = text.split(/\s/)
  const isName = words.length <= 4 && words.every((word) => /^\p{Lu}[\p{L}\p{M}.'’-]*$/u.test(word))
  return isName && (words.length > 1 || /.\p{Lu}/u.test(text))
}

function isCounted({ names, spec }: SchemaField, rest: string): boolean {
  const isText = spec.kind === 'text' && (names.kind === 'text' || names.kind === 'code')
  return isText && /^\d/.test(rest) && rest.split(/\s+/, 5).length <= 4
}

/** True for "health, dental, pension": several short items in one line. */
function isEnumeration(text: string): boolean {
  const parts = text.split(/,\s+|\s+(?:and|und|et|y)\s+/)
  return parts.length > 1 && parts.every((part) => part.split(' ').length <= 4)
}

const proseConcepts = new Set(['ingredients', 'instructions', 'responsibilities', 'requirements', 'benefits'])
const maxItems = 100

/** Returns the lines of a list that begins here: those of sibling elements, or those that line breaks separate. */
function listItems(tree: Tree, list: readonly Line[], at: number): string[] {
  const first = list[at]
  const label = list[at - 1]
  if (!first || !label) return []
  if (first.segments.length > 1) return first.segments
  const container = parentOf(tree, first.holder)
  const items: string[] = []
  for (const line of list.slice(at, at + maxItems)) {
    const isSibling =
      parentOf(tree, line.holder) === container && tagOf(tree, line.holder) === tagOf(tree, first.holder)
    // Siblings of the label itself may be unrelated.
    const isListItem =
      line.holder === first.holder || (isSibling && container !== parentOf(tree, label.holder))
    if (!isListItem || line.level > 0 || (items.length > 0 && (isLabel(line) || /[:：]$/.test(line.text))))
      break
    items.push(line.text)
  }
  return items
}

const typedKinds: ReadonlySet<ValueKind> = new Set([
  ...(['duration', 'price', 'count', 'rating', 'date', 'measure', 'phone', 'email', 'yes'] as const),
])

function isTyped({ spec, names }: SchemaField): boolean {
  const isTypedKind = names.kind !== undefined && (isNumeric(spec) || typedKinds.has(names.kind))
  return isTypedKind || names.concept === 'yield'
}

function isLabel({ words }: Line): boolean {
  return words.length <= 3 && isKnownLabel(phraseOf(words))
}

interface LabelContext {
  field: SchemaField
  page: PageContext
  weight: number
  tree: Tree
}

interface LabelPosition {
  lines: Lines
  cells: ReadonlyMap<Node, TableCell>
  at: number
}

/** Reads the value of a label that has its own line: in the column below it, in the next line, or in the line above. */
function readNearLabel(label: LabelContext, { lines, cells, at }: LabelPosition): MaybeValue {
  const { tree, list, linesBefore } = lines
  const { field } = label
  const [line, previous] = [list[at], list[at - 1]]
  const next = list[at + 1]?.isStruck ? list[at + 2] : list[at + 1]
  if (!line) return undefined
  const cellAround = ({ holder }: Line) => cells.get(findAncestor(tree, holder, cellTags, 8) ?? root)
  const cell = cellAround(line)
  if (cell?.column) return readColumn(label, cell.column, list[linesBefore[cell.column[0] ?? 0] ?? 0])
  const items = next && field.spec.kind === 'list' ? listItems(tree, list, at + 1) : []
  const nextValue =
    next &&
    areNear(tree, line, next) &&
    // In a row with other texts, the text after the label may be in another row.
    !(cell && cell.filledCount > 1 && cell.row !== cellAround(next)?.row) &&
    (valueTags[tagOf(tree, next.holder)] === 1 || !isLabel(next)) &&
    !areItems(tree, line, next)
      ? readLabelValue(
          label,
          { text: items.length > 1 ? items.join('\n') : next.text, line: next },
          isRow(tree, line, next) ? score.row : score.nextLine,
        )
      : undefined
  // A value above its label, such as "45 min" above "Prep", is accepted only if its format is specific.
  if (nextValue || !isTyped(field) || !previous || !areNear(tree, previous, line)) return nextValue
  return readLabelValue(label, { text: previous.text, line: previous }, score.before)
}

const maxValueWords = 14

function readLabelValue(
  { field, page, weight, tree }: LabelContext,
  source: { text: string; line: Line },
  confidence: number,
): MaybeValue {
  const { names } = field
  const trimmed = source.text.replace(/^(?:[\s:：\-–—|•·]|[.#](?=\s))+|[\s|•·]+$/g, '')
  const text = names.kind === 'address' ? (linkTarget(tree, source.line) ?? trimmed) : trimmed
  if (text === '' || !fits(text, field)) return undefined
  const value = coerceTexts(field, field.spec.kind === 'list' ? splitText(text, names) : [text], page)
  if (value === undefined) return undefined
  return { text, node: source.line.first, reader: 'label', score: confidence * weight, value }
}

/** Reads the cells below a header cell. Different cells belong to several records, so only a list has them all. */
function readColumn(label: LabelContext, column: readonly Node[], line: Line | undefined): MaybeValue {
  const texts = [...new Set(column.map((cell) => shownText(label.tree, cell)).filter(Boolean))]
  if (!line || (texts.length !== 1 && label.field.spec.kind !== 'list')) return undefined
  return readLabelValue(label, { text: texts.join('\n'), line }, score.row)
}

function linkTarget(tree: Tree, { holder, first }: Line): string | undefined {
  const end = Math.min(endOf(tree, holder), first + maxNodes)
  for (let node = Math.max(holder, first - maxNodes); node < end; node += 1)
    if (tagOf(tree, node) === tag.a) return attribute(tree, node, attr.href)
  return undefined
}

const maxNodes = 40

/** True if a text has the format and length of a value, because the value type alone accepts any text. */
function fits(text: string, { names, spec }: SchemaField): boolean {
  const inner: ValueSpec = spec.kind === 'list' ? spec.item : spec
  const count = text.split(/\s+/, maxValueWords + 1).length
  if (names.kind === 'text' && (names.concept === 'description' || names.concept === 'body')) return true
  if (names.concept === 'yield') return /\d/.test(text) && count <= 8
  if (names.kind === 'date' && inner.kind === 'text' && inner.format === undefined)
    return /\d/.test(text) && count <= 10
  if (names.kind === 'duration' && inner.kind === 'text') return /\d/.test(text) && count <= 8
  if (names.kind === 'rating') return isRating(text)
  if (count > maxValueWords) return false
  if (names.kind !== 'count' && names.kind !== 'measure' && names.kind !== 'price') return true
  if (!/\d/.test(text)) return false
  if (names.kind !== 'price' || !isNumeric(spec) || money.test(text)) return true
  return /^\D{0,3}[\d.,'’\s]+\D{0,6}$/.test(text) && !/\d:\d/.test(text)
}

const ratingCount =
  /^\D{0,20}\d[\d.,]*\s?k?\s*(?:ratings?|reviews?|votes?|bewertungen|avis|opiniones|recensioni|avaliações|beoordelingen)/i

/** True for "4.5 out of 5", but not for "9 ratings". */
export function isRating(text: string): boolean {
  if (ratingCount.test(text)) return false
  const value = Number(/\d+(?:[.,]\d+)?/.exec(text)?.[0].replace(',', '.'))
  return value <= 5 || (value <= 10 && /\/\s*10|of 10|von 10|sur 10/i.test(text))
}

/** Elements whose text is a value, even if it is a label of other fields. */
const valueTags = tagSet('dd td')

/** True for items of one list, of which neither is the label of the other. */
function areItems(tree: Tree, one: Line, other: Line): boolean {
  const isItem = ({ holder }: Line) => tagOf(tree, holder) === tag.li
  return isItem(one) && isItem(other) && parentOf(tree, one.holder) === parentOf(tree, other.holder)
}

const maxNearLevels = 4

function areNear(tree: Tree, { holder: one }: Line, { holder: other }: Line): boolean {
  const ancestors = new Set<Node>()
  for (let node = one; node > root && ancestors.size <= maxNearLevels; node = parentOf(tree, node))
    ancestors.add(node)
  for (let node = other, up = 0; node > root && up < maxNearLevels; node = parentOf(tree, node), up += 1)
    if (ancestors.has(node)) return true
  return false
}

/** True for cells of one row, a term and its definition, or two lines in their own container. */
function isRow(tree: Tree, one: Line, other: Line): boolean {
  const isSibling = parentOf(tree, one.holder) === parentOf(tree, other.holder) && one.holder !== other.holder
  return isSibling && tagOf(tree, one.holder) !== tag.li
}
