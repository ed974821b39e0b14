import { attr, tag, tagSet } from '../../content/tree/names.ts'
import type { Node } from '../../content/tree/tree.ts'
import { attribute, attributesOf, endOf, none, parentOf, type Tree, tagOf } from '../../content/tree/tree.ts'
import { pathWords } from '../fields/element-names.ts'
import { isMoney } from '../fields/from-shapes.ts'
import { labelWords } from '../fields/labels-of.ts'
import type { Lines } from '../fields/lines.ts'
import { labelSimilarity, type SchemaField } from '../fields/schema-fields.ts'
import { shownText } from '../fields/shown-text.ts'
import { phraseOf, singular, words } from '../vocabulary/words.ts'
import { type Cell, type Column, plainColumn, type RecordSet } from './cell.ts'
import { type Entry, entriesOf, linkAround } from './entries.ts'
import { childrenOf, type Span } from './groups.ts'

/** Converts records to columns. Texts at the same position in each record form a column. */
export function columnsOf(lines: Lines, spans: readonly Span[]): RecordSet {
  const entries = spans.map((span) => entriesOf(lines, span))
  const getColumnKey = createColumnKeys(lines.tree, entries)
  const columns = new Map<string, Column>()
  for (const [record, recordEntries] of entries.entries()) {
    const countByKey = new Map<string, number>()
    for (const entry of recordEntries) {
      const positionKey = getColumnKey(entry)
      const times = (countByKey.get(positionKey) ?? 0) + 1
      countByKey.set(positionKey, times)
      const key = `${positionKey} ${times}`
      const column = columns.get(key) ?? newColumn(lines.tree, entry, spans[record], columns.size)
      columns.set(key, column)
      addCell(column, record, entry)
    }
  }
  const nodes = spans.map(({ node }) => node)
  const minCells = Math.min(2, nodes.length)
  const listed = listColumns(lines.tree, entries, spans, columns.size)
  const all = [...columns.values(), ...listed, ...headingColumn(lines, spans, columns.size)]
  const usable = all.filter(({ cells }) => cells.size >= minCells)
  nameByTexts(usable)
  nameByUrls(lines.tree, usable)
  const weight = Math.max(...nodes.slice(0, 5).map((node) => lines.weights[node] ?? 1))
  return { nodes, columns: usable, reader: 'records', weight }
}

function addCell(column: Column, record: number, entry: Entry): void {
  const { text, node, link } = entry
  column.cells.set(record, { text, node, link })
  column.isHeading ||= entry.isHeading ?? false
  column.isLink ||= link !== undefined && entry.isFullLine !== true
  column.isStruck ||= entry.isStruck ?? false
  column.isFullLine ||= entry.isFullLine ?? false
  column.isLinePart ||= entry.isLinePart ?? false
}

function listColumns(tree: Tree, records: readonly Entry[][], spans: readonly Span[], order: number) {
  const columns = new Map<string, Column>()
  const repeatedKeys = new Set<string>()
  for (const [record, recordEntries] of records.entries()) {
    for (const entry of recordEntries) {
      if (entry.form !== 'text' || entry.isFullLine || entry.isHeading) continue
      if (!isItem(tree, entry.node, spans[record]?.base ?? 0)) continue
      const column = columns.get(entry.key) ?? newColumn(tree, entry, spans[record], order)
      columns.set(entry.key, { ...column, isList: true })
      const cell = column.cells.get(record)
      const parts = [...(cell?.parts ?? []), entry.text]
      if (parts.length > 1) repeatedKeys.add(entry.key)
      column.cells.set(record, { text: parts.join(', '), node: cell?.node ?? entry.node, parts })
    }
  }
  return [...columns].filter(([positionKey]) => repeatedKeys.has(positionKey)).map(([, column]) => column)
}

function isItem(tree: Tree, node: Node, base: Node): boolean {
  const isListItem = (at: Node) => tagOf(tree, at) === tag.li && at > base
  return tagOf(tree, node) === tag.a || isListItem(node) || isListItem(parentOf(tree, node))
}

const maxLinesAbove = 400

function headingColumn(lines: Lines, spans: readonly Span[], order: number): Column[] {
  const { list, linesBefore } = lines
  const cells = new Map<number, Cell>()
  let end = 0
  let current: Cell | undefined
  for (const [record, { node, end: spanEnd }] of spans.entries()) {
    const from = record === 0 ? Math.max(0, (linesBefore[node] ?? 0) - 3) : (linesBefore[end] ?? 0)
    const heading = list
      .slice(Math.max(from, (linesBefore[node] ?? 0) - maxLinesAbove), linesBefore[node])
      .findLast(({ level }) => level > 1)
    if (heading) current = { text: heading.text, node: heading.first }
    if (current) cells.set(record, current)
    end = spanEnd
  }
  const texts = new Set([...cells.values()].map(({ text }) => text))
  // A single heading is the title of the list. If each record has a heading, it is the title of the record.
  if (cells.size < spans.length || texts.size < 2 || texts.size === spans.length) return []
  // The column has no name, so only the format of its values identifies it.
  return [{ ...plainColumn(order), cells, isSharedHeading: true }]
}

/** The key is the position. If records have different numbers of entries there, common words are added. */
function createColumnKeys(tree: Tree, records: readonly Entry[][]): (entry: Entry) => string {
  const uneven = findUnevenKeys(records)
  const signatures = new Map<Entry, string>()
  const counts = new Map<string, number>()
  for (const recordEntries of records) {
    const recordSignatures = new Set<string>()
    for (const entry of recordEntries) {
      if (!uneven.has(entry.key)) continue
      const entrySignature = `${entry.key} ${getSignature(tree, entry)}`
      signatures.set(entry, entrySignature)
      recordSignatures.add(entrySignature)
    }
    for (const entrySignature of recordSignatures)
      counts.set(entrySignature, (counts.get(entrySignature) ?? 0) + 1)
  }
  const minRecords = Math.max(2, records.length * 0.3)
  return (entry) => {
    if (entry.label !== undefined) return `${entry.form} labelled ${words(entry.label).join(' ')}`
    const entrySignature = signatures.get(entry)
    if (entrySignature === undefined) return entry.key
    if ((counts.get(entrySignature) ?? 0) >= minRecords) return entrySignature
    const isPlainText = entry.form === 'text' && entry.isHeading !== true
    return isPlainText ? `${entry.key}${classifyText(entry.text)}` : entry.key
  }
}

function findUnevenKeys(records: readonly Entry[][]): Set<string> {
  const sizes = new Map<string, number>()
  const uneven = new Set<string>()
  for (const recordEntries of records) {
    const counts = new Map<string, number>()
    for (const { key } of recordEntries) counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const [positionKey, count] of counts) {
      if ((sizes.get(positionKey) ?? count) !== count) uneven.add(positionKey)
      sizes.set(positionKey, count)
    }
  }
  return uneven
}

const maxSignatureLength = 40

/** Returns the label before a colon, the words next to a number, a short text, or the text of a link. */
function getSignature(tree: Tree, { form, text, node }: Entry): string {
  if (form === 'link') return shownText(tree, node).slice(0, maxSignatureLength)
  if (form !== 'text') return ''
  const [, label] = /^([^:：]{2,40})[:：]\s*\S/.exec(text) ?? []
  if (label !== undefined && !/\d$/.test(label)) return `${label}:`
  if (text.length > maxSignatureLength) return 'long'
  if (!/\d/.test(text)) return text
  const otherWords = words(text).filter((word) => !/\d/.test(word))
  return `${isMoney(text) ? '$' : '#'}${phraseOf(otherWords)}`
}

function classifyText(text: string): string {
  if (text.length > maxSignatureLength) return ' long'
  if (isMoney(text)) return ' money'
  return /\d/.test(text) ? ' number' : ' words'
}

function newColumn(tree: Tree, entry: Entry, span: Span | undefined, order: number): Column {
  const names: string[] = []
  const base = span?.base ?? 0
  for (let node: Node = entry.node, up = 0; node >= base && up < 4; node = parentOf(tree, node), up += 1) {
    if (node === base && entry.node !== base) break
    for (const name of [attr.class, attr.itemprop, attr.rel, attr['aria-label']]) {
      const value = attribute(tree, node, name)
      if (value) names.push(...value.slice(0, 200).split(/\s+/).slice(0, 8))
    }
    const [data] = [...attributesOf(tree, node)].filter(([name]) => dataAttributes.test(name))
    if (data) names.push(data[1].slice(0, 80))
  }
  if (entry.label !== undefined) names.push(entry.label)
  if (entry.form === 'text') names.push(...getIconNames(tree, entry.node))
  return { ...plainColumn(order), names, form: entry.form, isStrong: isStrong(tree, entry.node) }
}

const strongTags = tagSet('b strong')

function isStrong(tree: Tree, node: Node): boolean {
  return strongTags[tagOf(tree, node)] === 1 || strongTags[tagOf(tree, parentOf(tree, node))] === 1
}

const iconTags = tagSet('svg i img')
const maxIcons = 4

function getIconNames(tree: Tree, node: Node): string[] {
  const names: string[] = []
  let iconCount = 0
  for (let at = node + 1; at < endOf(tree, node) && iconCount < maxIcons; at = endOf(tree, at)) {
    iconCount += 1
    if (iconTags[tagOf(tree, at)] !== 1) continue
    for (const name of [attr['aria-label'], attr.title, attr.alt, attr.class]) {
      const value = attribute(tree, at, name)
      if (value) names.push(...(name === attr.class ? value.split(/\s+/).slice(0, 4) : [value.slice(0, 40)]))
    }
  }
  return names
}

const dataAttributes = /^data-(?:testid|test|qa|field|label|title|th)$/

const minConstantRecords = 3
const maxWords = 4
const maxLabelLength = 40
const minShare = 0.8

/**
 * A text that all records share names the next column, or the previous one if it is a suffix such as "per
 * month". Words that most texts of a column share name that column.
 */
function nameByTexts(columns: readonly Column[]): void {
  const texts = columns
    .filter(({ form, isList }) => form === 'text' && !isList)
    .sort((one, other) => one.order - other.order)
  for (const [at, column] of texts.entries()) {
    const label = constantText(column)
    if (label !== undefined) {
      const isSuffix = /^(?:\/|per\b|pro\b|par\b|por\b|al\b|im\b)/i.test(label)
      const target = texts[isSuffix ? at - 1 : at + 1]
      if (target && constantText(target) === undefined && /\p{L}{2}/u.test(label)) target.names.push(label)
      continue
    }
    const common = commonWords(column)
    if (common !== '') column.names.push(common)
  }
}

export function constantText({ cells }: Column): string | undefined {
  if (cells.size < minConstantRecords) return undefined
  const [text = '', ...others] = new Set([...cells.values()].map((cell) => cell.text))
  return others.length > 0 || text.length > maxLabelLength || /\d/.test(text) ? undefined : text
}

const differsInEnding = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 4 &&
  Math.abs(one.length - other.length) <= 2 &&
  (one.startsWith(other) || other.startsWith(one))

/** Returns the words next to a number that most records share: "reviews" for "214 reviews" and "3 reviews". */
function commonWords({ cells }: Column): string {
  const counts = new Map<string, number>()
  const sample: Cell[] = [...cells.values()].slice(0, 40)
  if (sample.length < 2 || !sample.every(({ text }) => /\d/.test(text) && text.length <= maxLabelLength))
    return ''
  for (const { text } of sample)
    for (const word of new Set(words(text).map(singular))) {
      // Endings change with the number: "1 Person", "2 Personen".
      const stem = [...counts.keys()].find((other) => other === word || differsInEnding(other, word)) ?? word
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
    }
  const isFrequent = (count: number) => count >= sample.length * minShare
  const frequent = [...counts].filter(([word, count]) => !/\d/.test(word) && isFrequent(count))
  return frequent.length <= maxWords ? frequent.map(([word]) => word).join(' ') : ''
}

/** Adds the words in the URLs of links: "agents" for "/agents/hollis". */
function nameByUrls(tree: Tree, columns: readonly Column[]): void {
  for (const { form, isLink, cells, hrefWords } of columns) {
    if (form !== 'link' && !isLink) continue
    const counts = new Map<string, number>()
    const sample = [...cells.values()].slice(0, 40)
    for (const { node } of sample)
      for (const word of new Set(pathWords(attribute(tree, linkAround(tree, node) ?? none, attr.href) ?? '')))
        counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) if (count >= sample.length * minShare) hrefWords.push(word)
  }
}

const maxNameLength = 40
const minSimilarity = 0.6
const minNamedTexts = 2

/** Adds column names to rows that are not a table, if the first row or the element before it is a header. */
export function withHeaderNames(lines: Lines, set: RecordSet, fields: readonly SchemaField[]): RecordSet {
  if (set.nodes.length < 2) return set
  const columns = set.columns.filter(
    ({ form, isFullLine, isList }) => form === 'text' && !isFullLine && !isList,
  )
  const firstTexts = columns.map(({ cells }) => cells.get(0)?.text ?? '')
  // A text that the first two rows share is a label, and not a header.
  const isRepeated = columns.some(
    ({ cells }) => cells.get(0) !== undefined && cells.get(0)?.text === cells.get(1)?.text,
  )
  if (set.nodes.length > 2 && !isRepeated && isHeader(firstTexts, fields))
    return removeFirst(addNames(set, columns, firstTexts))
  const [first = 0] = set.nodes
  const previous = childrenOf(lines.tree, parentOf(lines.tree, first)).findLast((child) => child < first)
  if (previous === undefined) return set
  const entries = entriesOf(lines, { node: previous, end: endOf(lines.tree, previous), base: previous })
  const names = entries.filter(({ form, isFullLine }) => form === 'text' && isFullLine !== true)
  const regularColumns = columns.filter(({ cells }) => cells.size >= set.nodes.length * 0.8)
  const texts = names.map(({ text }) => text)
  return texts.length === regularColumns.length && isHeader(texts, fields)
    ? addNames(set, regularColumns, texts)
    : set
}

function isHeader(texts: readonly string[], fields: readonly SchemaField[]): boolean {
  const filled = texts.filter((text) => text !== '')
  if (filled.some((text) => text.length > maxNameLength || /\d{2}/.test(text))) return false
  const matching = filled.filter((text) => {
    const label = labelWords(text)
    const isNamed = ({ names }: SchemaField) =>
      names.phrases.has(phraseOf(label)) || labelSimilarity(names, label) >= minSimilarity
    return fields.some(isNamed)
  })
  return matching.length >= Math.max(minNamedTexts, filled.length * 0.4)
}

function addNames(set: RecordSet, columns: readonly Column[], texts: readonly string[]): RecordSet {
  const nameByColumn = new Map(columns.map((column, at) => [column, texts[at] ?? '']))
  return {
    ...set,
    hasColumnNames: true,
    columns: set.columns.map((column) => {
      const name = nameByColumn.get(column)
      return name ? { ...column, names: [...column.names, name] } : column
    }),
  }
}

function removeFirst(set: RecordSet): RecordSet {
  const columns = set.columns.map((column) => {
    const cells = [...column.cells].filter(([record]) => record > 0)
    return { ...column, cells: new Map(cells.map(([record, cell]) => [record - 1, cell])) }
  })
  return { ...set, nodes: set.nodes.slice(1), columns: columns.filter(({ cells }) => cells.size > 0) }
}
