import { tag, tagSet } from '../../content/tree/names.ts'
import { endOf, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, wordList, words } from '../vocabulary/words.ts'
import {
  better,
  coerceTexts,
  type FieldValues,
  type MaybeValue,
  type PageContext,
  type ReaderInput,
} from './extracted-value.ts'
import { splitText } from './from-items.ts'
import { findLongest } from './labels-of.ts'
import { findAncestor, type Line, type Lines } from './lines.ts'
import type { NamedField, PhraseIndex, SchemaField } from './schema-fields.ts'

const maxHeadingWords = 7
const minScore = 0.47
const minExactNameWeight = 0.8

export function readSections({ lines, index, page }: ReaderInput): FieldValues {
  const valuesByField: FieldValues = new Map()
  for (const [at, line] of lines.list.entries()) {
    if (line.words.length > maxHeadingWords) continue
    for (const { field, weight } of fieldsOfHeading(line, index)) {
      const isList = field.spec.kind === 'list'
      const isLong =
        field.names.concept === 'description' ||
        field.names.concept === 'body' ||
        field.names.kind === 'steps'
      // A value without a known format may be a paragraph, if the heading is exactly the field name.
      const isExactName =
        field.names.kind === undefined &&
        field.spec.kind === 'text' &&
        line.level > 0 &&
        weight >= minExactNameWeight
      if (!isList && !isLong && !isExactName) continue
      const section = sectionAfter(lines, at)
      const value = readSection(lines.tree, field, section, page)
      if (!value) continue
      const confidence = (line.level > 0 ? 0.85 : 0.7) * weight * line.weight
      const score = confidence * scoreFit(field, section)
      const best = better(valuesByField.get(field), { ...value, score })
      if (best && best.score >= minScore) valuesByField.set(field, best)
    }
  }
  return valuesByField
}

function fieldsOfHeading({ words, text }: Line, index: PhraseIndex): readonly NamedField[] {
  const bare = text.replace(/[:：]\s*$/, '')
  if (/[:：]/.test(bare)) return []
  const exactMatches = index.get(phraseOf(words))
  if (exactMatches) return exactMatches
  const size = Math.min(3, words.length)
  const front = findLongest(size, (length) =>
    words.length <= length + 4 ? index.get(phraseOf(words.slice(0, length))) : undefined,
  )
  if (front)
    return front.found
      .filter(({ field }) => field.names.concept !== 'description')
      .map(({ field, weight }) => ({ field, weight: weight * 0.85 }))
  const back = findLongest(size, (length) =>
    words.length <= length + 3 ? index.get(phraseOf(words.slice(-length))) : undefined,
  )
  return back?.found.map(({ field, weight }) => ({ field, weight: weight * 0.8 })) ?? []
}

function scoreFit({ names }: SchemaField, section: readonly Line[]): number {
  if (names.concept === 'ingredients') {
    const countedShare = section.filter(({ text }) => /^[\d¼½¾⅓⅔⅛]/.test(text)).length / section.length
    const shortShare = section.filter(({ text }) => text.length < 120).length / section.length
    return 0.6 + 0.25 * countedShare + 0.15 * shortShare
  }
  if (names.concept === 'instructions') {
    const sentenceShare = section.filter(({ text }) => text.length > 30).length / section.length
    return 0.6 + 0.4 * sentenceShare
  }
  return 1
}

function readSection(
  tree: Tree,
  field: SchemaField,
  section: readonly Line[],
  page: PageContext,
): MaybeValue {
  const { spec, names } = field
  const [firstLine] = section
  if (!firstLine) return undefined
  const texts = joinItemLines(tree, section)
  if (entryListConcepts.has(names.concept ?? '') && !areListEntries(texts)) return undefined
  const text = texts.join('\n')
  const entryTexts = texts.length === 1 ? splitText(text, names) : texts
  const found = coerceTexts(field, spec.kind === 'list' ? entryTexts : [text], page)
  const value = spec.kind === 'list' && Array.isArray(found) ? found.slice(0, spec.maxItems) : found
  if (value === undefined) return undefined
  return { value, text: text.slice(0, 2000), node: firstLine.first, reader: 'section', score: 1 }
}

const entryListConcepts = new Set(['ingredients', 'instructions', 'responsibilities'])

/** True if the texts are list entries: neither single words nor labels of other sections. */
function areListEntries(texts: readonly string[]): boolean {
  const entries = texts.filter(
    (text) => text.split(/\s+/, 3).length > 1 && !isKnownLabel(phraseOf(words(text.slice(0, 60)))),
  )
  return entries.length > 0 && (texts.length > 1 || (entries[0] ?? '').length > 40)
}

function joinItemLines(tree: Tree, section: readonly Line[]): string[] {
  const texts: string[] = []
  let [previousItem, previousHolder]: (Node | undefined)[] = [undefined, undefined]
  for (const { text, holder } of section) {
    const item = findAncestor(tree, holder, itemTags, 8)
    // Line breaks separate the entries of a table cell, but not those of a list item.
    const isNewCellLine = holder === previousHolder && tagOf(tree, holder) === tag.td
    if (item !== undefined && item === previousItem && !isNewCellLine) texts[texts.length - 1] += ` ${text}`
    else texts.push(text)
    previousItem = item
    previousHolder = holder
  }
  return texts
    .map((text) => text.replace(/^(?:[▢□☐•·\-–*]\s*|\d{1,2}[.)]\s+(?=\p{Lu}))/u, '').trim())
    .filter(Boolean)
}

const itemTags = tagSet('li tr')
const listTags = tagSet('li tr dd')

const maxLevels = 6
const maxItems = 500

export function sectionAfter({ tree, list, linesBefore }: Lines, at: number): Line[] {
  const heading = list[at]
  if (!heading) return []
  let otherLines: Line[] = []
  let node = heading.holder
  for (let up = 0; up < maxLevels && node > root; up += 1, node = parentOf(tree, node)) {
    const last = linesBefore[endOf(tree, node)] ?? list.length
    if (last <= at + 1) continue
    const range = linesUntilNextSection(tree, list, at, last)
    const items = range.filter(({ holder }) => (findAncestor(tree, holder, listTags, Infinity) ?? 0) > node)
    if (items.length >= 2) return items
    if (otherLines.length === 0 && range.length > 0) otherLines = range
    // Stop at the next heading. Outer elements would add only lines after this heading.
    if (at + 1 + range.length < last)
      return items.length > 0 ? items : otherLines.length > 1 || range.length === 0 ? otherLines : range
  }
  return otherLines
}

function linesUntilNextSection(tree: Tree, list: readonly Line[], at: number, last: number): Line[] {
  const heading = list[at]
  const found: Line[] = []
  for (let next = at + 1; next < last && found.length < maxItems; next += 1) {
    const line = list[next]
    if (!line || !heading || line.weight < heading.weight - 0.3) break
    if (line.level > 0 && heading.level > 0 && line.level <= heading.level) break
    if (heading.level === 0 && line.level > 0 && found.length > 0 && isKnownLabel(phraseOf(line.words))) break
    if (line.words.length <= 3 && line.text.length < 40 && sectionLabels.has(phraseOf(line.words))) break
    if (found.length > 0 && startsNextSection(tree, heading, line, found[0])) break
    found.push(line)
  }
  return found.filter((line) => line.level === 0)
}

/** True if a short line, unlike the first line of the section, is a sibling of the label with its tag. */
function startsNextSection(tree: Tree, heading: Line, line: Line, first: Line | undefined): boolean {
  if (
    heading.level > 0 ||
    line.text.length > 60 ||
    line.words.length > 7 ||
    /^(?:for|für|pour|para|per|to)\b|[.!?;,]$/iu.test(line.text)
  )
    return false
  const isLikeHeading = ({ holder }: Line) =>
    tagOf(tree, holder) === tagOf(tree, heading.holder) &&
    parentOf(tree, holder) === parentOf(tree, heading.holder)
  return isLikeHeading(line) && first !== undefined && !isLikeHeading(first)
}

const sectionLabels = wordList('sectionLabels')
