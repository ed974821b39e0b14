import { endOf, type Node, parentOf } from '../../content/tree/tree.ts'
import type { Lines } from '../../reading/fields/lines.ts'
import { brokenLines } from './broken-lines.ts'
import type { Locale } from './currency.ts'
import { type Marks, marksOf } from './dietary.ts'
import { type DraftItem, type DraftMenu, type DraftSection, mostItems, mostSections } from './draft.ts'
import { type Entry, readEntries } from './entries.ts'
import { isSectionTitle } from './food-words.ts'
import { findGroups, type Group } from './groups.ts'
import { itemOfCard, itemOfLines, type LinesOfItem } from './items.ts'

/** What a page shows to people: names, descriptions and prices, under the headings of their sections. */
export function menuFromLines(given: Lines, page: { locale: Locale; base: string }): DraftMenu {
  const lines = brokenLines(given)
  const entries = readEntries(lines, page.locale)
  const found = findGroups(lines, entries)
  const groups = found.slice(0, mostItems)
  const marks = marksOf(entries.filter(({ kind }) => kind === 'text').map(({ text }) => text))
  const reader: Reader = { lines, entries, marks, base: page.base, itemLevels: itemLevels(entries, groups) }
  const sections = sectionsOf(reader, groups)
  return { sections, isCut: found.length > mostItems || sections.length >= mostSections }
}

interface Reader {
  lines: Lines
  entries: Entry[]
  marks: Marks
  base: string
  /** Levels of headings that name items, not sections. */
  itemLevels: ReadonlySet<number>
}

/** Where each heading is followed by one price, headings are names of items. */
function itemLevels(entries: readonly Entry[], groups: readonly Group[]): Set<number> {
  const priced = new Set(groups.map(({ from }) => from))
  const inCards = new Set(groups.flatMap(({ card }) => (card ? range(card.from, card.to) : [])))
  const counts = new Map<number, { one: number; other: number }>()
  let level = 0
  let found = 0
  const close = () => {
    if (level === 0) return
    const count = counts.get(level) ?? { one: 0, other: 0 }
    if (found === 1) count.one += 1
    else count.other += 1
    counts.set(level, count)
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'title' && !inCards.has(index)) {
      close()
      level = isSectionTitle(entry.text) ? 0 : entry.level
      found = 0
    } else if (priced.has(index)) found += 1
  }
  close()
  return new Set([...counts].filter(([, { one, other }]) => one > 1 && one > other * 2).map(([name]) => name))
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

function sectionsOf(reader: Reader, groups: readonly Group[]): DraftSection[] {
  const { entries } = reader
  const sections: OpenSection[] = [{ name: '', items: [], before: [] }]
  let at = 0
  for (const group of groups) {
    const start = group.card?.from ?? group.from
    // Lines that no item has taken stand between the last item and this one.
    for (; at < start; at += 1) readBetween(reader, sections, at)
    const section = sections.at(-1)
    if (!section || at > start) continue
    const isNamed = section.before.some(({ level }) => reader.itemLevels.has(level))
    const own = entries.slice(start, group.card?.to ?? group.to)
    const hasName = group.card !== undefined || own[0]?.kind === 'priced'
    if (hasName && !isNamed) {
      closePending(section)
      section.items.push({ card: group.card, lines: own, behind: [] })
    } else takePending(reader, section, own)
    at = group.card?.to ?? group.to
  }
  readRest(reader, sections, at)
  for (const section of sections) closePending(section)
  return finished(reader, sections)
}

/** What stands behind the last item, as long as it may belong to it. */
function readRest({ entries, lines }: Reader, sections: OpenSection[], from: number): void {
  const section = sections.at(-1)
  const items = sections.flatMap((one) => one.items)
  const [first, last] = [items[0], items.at(-1)].map((item) => item?.lines[0]?.line.holder ?? 0)
  const end = endOf(lines.tree, commonAncestor(lines, first ?? 0, last ?? 0))
  for (let at = from; section && at < entries.length && section.before.length < 2; at += 1) {
    const entry = entries[at]
    if (!entry || entry.kind === 'title' || entry.line.first >= end) break
    if (entry.kind === 'text') section.before.push(entry)
  }
}

function commonAncestor({ tree }: Lines, first: Node, last: Node): Node {
  let node = last
  while (node > 0 && node > first) node = parentOf(tree, node)
  while (node > 0 && endOf(tree, node) <= last) node = parentOf(tree, node)
  return Math.max(0, node)
}

/** A section while it is read: lines that may belong to the item before them or to the one behind. */
interface OpenSection {
  name: string
  description?: string
  items: OpenItem[]
  before: Entry[]
}

interface OpenItem extends LinesOfItem {
  /** Lines behind it that may describe it. */
  behind: Entry[]
}

function readBetween({ entries, itemLevels: levels }: Reader, sections: OpenSection[], at: number): void {
  const entry = entries[at]
  const section = sections.at(-1)
  if (!entry || !section || entry.kind === 'aside' || entry.kind === 'column') return
  if (entry.kind !== 'title' || (levels.has(entry.level) && !isSectionTitle(entry.text))) {
    section.before.push(entry)
    return
  }
  closePending(section)
  if (sections.length < mostSections) sections.push({ name: entry.text, items: [], before: [] })
}

/** Lines that no price follows any more: the description of the item before them, or of the section. */
function closePending(section: OpenSection): void {
  const last = section.items.at(-1)
  const texts = section.before.splice(0)
  if (texts.length === 0) return
  if (last) last.behind.push(...texts)
  else section.description = texts.map(({ text }) => text).join(' ')
}

/** Prices that stand alone: which of the lines before them is the name follows from how the section begins. */
function takePending({ itemLevels: levels }: Reader, section: OpenSection, prices: Entry[]): void {
  const pending = section.before.splice(0)
  const named = pending.findLastIndex(({ level }) => levels.has(level))
  const isFirst = section.items.length === 0
  const nameFirst = isFirst || (section.items[0]?.lines.length ?? 0) > 2
  const start = named >= 0 ? named : nameFirst ? Math.max(0, pending.length - 3) : pending.length - 1
  const last = section.items.at(-1)
  const behind = pending.slice(0, Math.max(0, start))
  if (last) last.behind.push(...behind)
  const lines = [...pending.slice(Math.max(0, start)), ...prices]
  if (lines.some(({ text }) => text !== '')) section.items.push({ card: undefined, lines, behind: [] })
}

const longestBehind = 300
const generalNotes =
  /(?<!\p{L})(?:vat|mwst|tva|iva|moms|allerg\p{L}*|service charge|prices|preise|prix|precios|prezzi|prijzen)(?!\p{L})/iu

function finished(reader: Reader, sections: OpenSection[]): DraftSection[] {
  const all = sections.flatMap(({ items }) => items)
  const last = all.pop()
  const most = Math.min(2, Math.max(0, ...all.map(({ behind }) => behind.length)))
  const share = all.filter(({ behind }) => behind.length > 0).length / (all.length || 1)
  return sections.flatMap(({ name, description, items }) => {
    const drafts = items.flatMap((item) => {
      // Behind the last item stands its description only where others have one too, else the rest of the page.
      const own = item === last && share < 0.4 ? [] : item.behind.slice(0, most)
      const behind = own.filter(({ text }) => text.length <= longestBehind && !generalNotes.test(text))
      const draft = item.card ? itemOfCard(reader, item, behind) : itemOfLines(reader, item.lines, behind)
      return draft ? [draft] : []
    })
    if (drafts.length === 0) return []
    const shown = description !== undefined && description.length <= longestBehind ? { description } : {}
    return [{ name, ...shown, items: withoutTwins(drafts, name) }]
  })
}

/** A card that shows its item twice, in front and at the back, is one item; the longer description stays. */
function withoutTwins(items: DraftItem[], section: string): DraftItem[] {
  const kept: DraftItem[] = []
  for (const item of items) {
    const last = kept.at(-1)
    const isTwin =
      last?.name === item.name && last.prices[0]?.price.formatted === item.prices[0]?.price.formatted
    if (!last || !isTwin) kept.push(item)
    else
      kept[kept.length - 1] =
        (item.description ?? '').length > (last.description ?? '').length
          ? { ...last, ...item, images: [...last.images, ...item.images].slice(0, 1) }
          : last
  }
  return kept.map(({ description, ...item }) =>
    description === undefined || description === section ? item : { ...item, description },
  )
}
