import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  attributesOf,
  endOf,
  isText,
  type Node,
  parentOf,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import { pathWords } from '../fields/element-names.ts'
import { isMoney } from '../fields/from-shapes.ts'
import type { Lines } from '../fields/lines.ts'
import { shownText } from '../fields/shown-text.ts'
import { singular, words } from '../vocabulary/words.ts'
import { type Cell, type Column, plainColumn, type RecordSet } from './cell.ts'
import { type Entry, entriesOf, linkAround } from './entries.ts'
import type { Span } from './groups.ts'

/** Records as columns: what stands in the same place of each. */
export function columnsOf(lines: Lines, spans: readonly Span[]): RecordSet {
  const entries = spans.map((span) => entriesOf(lines, span))
  const keyOf = aligned(lines.tree, entries)
  const columns = new Map<string, Column>()
  for (const [record, own] of entries.entries()) {
    const seen = new Map<string, number>()
    for (const entry of own) {
      const place = keyOf(entry)
      const times = (seen.get(place) ?? 0) + 1
      seen.set(place, times)
      const key = `${place} ${times}`
      const column = columns.get(key) ?? newColumn(lines.tree, entry, spans[record], columns.size)
      columns.set(key, column)
      addCell(column, record, entry)
    }
  }
  const nodes = spans.map(({ node }) => node)
  const least = Math.min(2, nodes.length)
  const kept = [
    ...columns.values(),
    ...listColumns(lines.tree, entries, spans, columns.size),
    ...headingColumn(lines, spans, columns.size),
  ].filter(({ cells }) => cells.size >= least)
  nameByTexts(kept, nodes.length)
  nameByAddresses(lines.tree, kept)
  const weight = Math.max(...nodes.slice(0, 5).map((node) => lines.weights[node] ?? 1))
  return { nodes, columns: kept, reader: 'records', weight }
}

function addCell(column: Column, record: number, entry: Entry): void {
  const link = entry.link === undefined ? {} : { link: entry.link }
  column.cells.set(record, { text: entry.text, node: entry.node, ...link })
  column.isHeading ||= entry.isHeading ?? false
  column.isLink ||= entry.link !== undefined && entry.isWhole !== true
  column.isStruck ||= entry.isStruck ?? false
  column.isWhole ||= entry.isWhole ?? false
  column.isPiece ||= entry.isPiece ?? false
}

/** Places in which records say several things of a kind, as lists: the items of a card, its tags. */
function listColumns(
  tree: Tree,
  records: readonly Entry[][],
  spans: readonly Span[],
  order: number,
): Column[] {
  const columns = new Map<string, Column>()
  const several = new Set<string>()
  for (const [record, own] of records.entries()) {
    for (const entry of own) {
      if (
        entry.form !== 'text' ||
        entry.isWhole ||
        entry.isHeading ||
        !isItem(tree, entry.node, spans[record]?.base ?? 0)
      )
        continue
      const column = columns.get(entry.place) ?? newColumn(tree, entry, spans[record], order)
      columns.set(entry.place, { ...column, isList: true })
      const cell = column.cells.get(record)
      const parts = [...(cell?.parts ?? []), entry.text]
      if (parts.length > 1) several.add(entry.place)
      column.cells.set(record, { text: parts.join(', '), node: cell?.node ?? entry.node, parts })
    }
  }
  return [...columns].filter(([place]) => several.has(place)).map(([, column]) => column)
}

/** Whether it is an item of a list, or a link beside others. */
function isItem(tree: Tree, node: Node, base: Node): boolean {
  const name = tagOf(tree, node)
  const parent = parentOf(tree, node)
  return (
    name === tag.a || (name === tag.li && node > base) || (tagOf(tree, parent) === tag.li && parent > base)
  )
}

const furthest = 400

/** Headings between records that hold for those below: the days of a programme. */
function headingColumn(lines: Lines, spans: readonly Span[], order: number): Column[] {
  const { list, before } = lines
  const cells = new Map<number, Cell>()
  let end = 0
  let known: Cell | undefined
  for (const [record, { node, end: stop }] of spans.entries()) {
    const from = record === 0 ? Math.max(0, (before[node] ?? 0) - 3) : (before[end] ?? 0)
    const heading = list
      .slice(Math.max(from, (before[node] ?? 0) - furthest), before[node])
      .findLast(({ level }) => level > 1)
    if (heading) known = { text: heading.text, node: heading.first }
    if (known) cells.set(record, known)
    end = stop
  }
  const texts = new Set([...cells.values()].map(({ text }) => text))
  // One heading is that of the list, and one for each record is its own.
  if (cells.size < spans.length || texts.size < 2 || texts.size === spans.length) return []
  // Only its look identifies it.
  return [{ ...plainColumn(order), cells, isPart: true }]
}

/**
 * Which entries are of one column. Where every record says as much in a place, the place tells; where some leave things out, what
 * it looks like tells as well: the words beside its number, its label, the text itself if others have it.
 */
function aligned(tree: Tree, records: readonly Entry[][]): (entry: Entry) => string {
  const uneven = unevenPlaces(records)
  const looks = new Map<Entry, string>()
  const counts = new Map<string, number>()
  for (const own of records) {
    const found = new Set<string>()
    for (const entry of own) {
      if (!uneven.has(entry.place)) continue
      const look = `${entry.place} ${signature(tree, entry)}`
      looks.set(entry, look)
      found.add(look)
    }
    for (const look of found) counts.set(look, (counts.get(look) ?? 0) + 1)
  }
  const least = Math.max(2, records.length * 0.3)
  return (entry) => {
    if (entry.label !== undefined) return `${entry.form} labelled ${words(entry.label).join(' ')}`
    const look = looks.get(entry)
    if (look === undefined) return entry.place
    if ((counts.get(look) ?? 0) >= least) return look
    return entry.form === 'text' && entry.isHeading !== true
      ? `${entry.place}${lookOf(entry.text)}`
      : entry.place
  }
}

/** Places in which some records say more than others. */
function unevenPlaces(records: readonly Entry[][]): Set<string> {
  const sizes = new Map<string, number>()
  const uneven = new Set<string>()
  for (const own of records) {
    const counts = new Map<string, number>()
    for (const { place } of own) counts.set(place, (counts.get(place) ?? 0) + 1)
    for (const [place, count] of counts) {
      if ((sizes.get(place) ?? count) !== count) uneven.add(place)
      sizes.set(place, count)
    }
  }
  return uneven
}

const longestLook = 40

/** What is the same in other records: the label before a colon, the words beside a number, the text, what a link is called. */
function signature(tree: Tree, { form, text, node }: Entry): string {
  if (form === 'link') return shownText(tree, node).slice(0, longestLook)
  if (form !== 'text') return ''
  const [, label] = /^([^:：]{2,40})[:：]\s*\S/.exec(text) ?? []
  if (label !== undefined && !/\d$/.test(label)) return `${label}:`
  if (text.length > longestLook) return 'long'
  if (!/\d/.test(text)) return text
  const beside = words(text)
    .filter((word) => !/\d/.test(word))
    .map(singular)
  return `${isMoney(text) ? '$' : '#'}${beside.join(' ')}`
}

/** What a short line states by its signs: an amount, a number, or words. */
function lookOf(text: string): string {
  if (text.length > longestLook) return ' long'
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
    const [data] = [...attributesOf(tree, node)].filter(([name]) => dataNames.test(name))
    if (data) names.push(data[1].slice(0, 80))
  }
  if (entry.label !== undefined) names.push(entry.label)
  if (entry.form === 'text') names.push(...iconNames(tree, entry.node))
  return { ...plainColumn(order), names, form: entry.form, isStrong: isStrong(tree, entry.node) }
}

const strong = tagSet('b strong')

function isStrong(tree: Tree, node: Node): boolean {
  return strong[tagOf(tree, node)] === 1 || strong[tagOf(tree, parentOf(tree, node))] === 1
}

const icons = tagSet('svg i img')
const maxIcons = 4

/** What the pictures beside a text are called: a star, an eye. */
function iconNames(tree: Tree, node: Node): string[] {
  const names: string[] = []
  let seen = 0
  for (let at = node + 1; at < endOf(tree, node) && seen < maxIcons; at = endOf(tree, at), seen += 1) {
    if (isText(tree, at) || icons[tagOf(tree, at)] !== 1) continue
    for (const name of [attr['aria-label'], attr.title, attr.alt, attr.class]) {
      const value = attribute(tree, at, name)
      if (value) names.push(...(name === attr.class ? value.split(/\s+/).slice(0, 4) : [value.slice(0, 40)]))
    }
  }
  return names
}

const dataNames = /^data-(?:testid|test|qa|field|label|title|th)$/

const fewest = 3
const maxWords = 4
const longest = 40
/** At least this share of the cells has a word that belongs to the place and not to the record. */
const minShare = 0.8

/** Names columns by what they say in all records: a text that never changes names the one behind it, a word its own column. */
export function nameByTexts(columns: readonly Column[], records: number): void {
  if (records < 2) return
  const texts = columns
    .filter(({ form, isList }) => form === 'text' && !isList)
    .sort((one, other) => one.order - other.order)
  for (const [at, column] of texts.entries()) {
    const label = constantText(column)
    const next = texts[at + 1]
    if (label !== undefined) {
      const isBehind = /^(?:\/|per\b|pro\b|par\b|por\b|al\b|im\b)/i.test(label)
      const named = isBehind ? texts[at - 1] : next
      if (named && constantText(named) === undefined && hasLetters(label)) named.names.push(label)
      continue
    }
    const common = commonWords(column)
    if (common !== '') column.names.push(common)
  }
}

const hasLetters = (text: string) => /\p{L}{2}/u.test(text)

/** What a column says in every record that has it; undefined where it changes. */
export function constantText({ cells }: Column): string | undefined {
  if (cells.size < fewest) return undefined
  const [first, ...rest] = [...cells.values()].map(({ text }) => text)
  if (first === undefined || first.length > longest || /\d/.test(first)) return undefined
  return rest.every((text) => text === first) ? first : undefined
}

const isEnding = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 4 &&
  Math.abs(one.length - other.length) <= 2 &&
  (one.startsWith(other) || other.startsWith(one))

/** Words beside numbers: "214 reviews" in one record and "3 reviews" in the next. */
function commonWords({ cells }: Column): string {
  const counts = new Map<string, number>()
  const sample: Cell[] = [...cells.values()].slice(0, 40)
  if (sample.length < 2 || !sample.every(({ text }) => /\d/.test(text) && text.length <= longest)) return ''
  for (const { text } of sample)
    for (const word of new Set(words(text).map((one) => singular(one)))) {
      // "1 Person", "2 Personen": endings change with the number.
      const stem = [...counts.keys()].find((other) => other === word || isEnding(other, word)) ?? word
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
    }
  const kept = [...counts].filter(([word, count]) => !/\d/.test(word) && count >= sample.length * minShare)
  return kept.length <= maxWords ? kept.map(([word]) => word).join(' ') : ''
}

/** Names texts and links by where they lead: "/agents/hollis" is an agent. */
export function nameByAddresses(tree: Tree, columns: readonly Column[]): void {
  for (const { form, isLink, cells, leads } of columns) {
    if (form !== 'link' && !isLink) continue
    const counts = new Map<string, number>()
    const sample = [...cells.values()].slice(0, 40)
    for (const { node } of sample)
      for (const word of new Set(pathWords(hrefAround(tree, node))))
        counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) if (count >= sample.length * minShare) leads.push(word)
  }
}

function hrefAround(tree: Tree, node: Node): string {
  const link = linkAround(tree, node)
  return (link !== undefined && attribute(tree, link, attr.href)) || ''
}
