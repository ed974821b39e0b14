import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  parentOf,
  type Tree,
  tagOf,
  textAt,
} from '../../content/tree/tree.ts'
import type { Line, Lines } from '../../reading/fields/lines.ts'
import type { Locale } from './currency.ts'
import type { DraftItem } from './draft.ts'
import { barePrice, longestLine, type ShownPrice, shownPrices } from './shown-prices.ts'

/** A line of a page as a reader of menus sees it. */
export interface Entry {
  line: Line
  /**
   * - `title`: may name a section or an item
   * - `priced`: a name and its prices
   * - `price`: prices alone
   * - `column`: the head of a table
   * - `aside`: outside the content, or a button
   */
  kind: 'title' | 'text' | 'priced' | 'price' | 'column' | 'aside'
  /** 1 to 6 for a heading, more for what only looks like one, else 0. */
  level: number
  /** What stands beside the prices. */
  text: string
  /** The same, where elements part it. */
  pieces: string[]
  prices: DraftItem['prices']
}

/** What stands there is about the site. */
const leastWeight = 0.3
const longestName = 160
/** What may follow a price: marks, "per person". */
const longestBehind = 16
/** What may stand between two prices. */
const longestSize = 30

/** One for each line, so that places in the page can be counted in lines. */
export function readEntries(lines: Lines, locale: Locale): Entry[] {
  return lines.list.map((line) => {
    const bare = { line, level: 0, text: line.text, pieces: line.pieces, prices: [] }
    if (line.weight < leastWeight || asides[tagOf(lines.tree, line.holder)] === 1)
      return { ...bare, kind: 'aside' }
    if (isColumnHead(lines.tree, line.holder)) return { ...bare, kind: 'column' }
    const priced = pricedEntry(lines.tree, line, locale)
    if (priced) return priced
    const level = titleLevel(lines.tree, line)
    return { ...bare, level, kind: level > 0 ? 'title' : 'text' }
  })
}

const asides = tagSet('button label option')

function isColumnHead(tree: Tree, node: Node): boolean {
  for (let at = node, up = 0; at > 0 && up < 4; at = parentOf(tree, at), up += 1) {
    if (tagOf(tree, at) === tag.thead) return true
    if (tagOf(tree, at) === tag.tr) return isAllHeads(tree, at)
  }
  return false
}

function isAllHeads(tree: Tree, row: Node): boolean {
  let heads = 0
  for (let at = row + 1; at < endOf(tree, row); at = endOf(tree, at)) {
    if (tagOf(tree, at) === tag.td) return false
    if (tagOf(tree, at) === tag.th) heads += 1
  }
  return heads > 1
}

function pricedEntry(tree: Tree, line: Line, locale: Locale): Entry | undefined {
  const shown = shownPrices(line.text, locale)
  if (shown.length === 0) return bareEntry(tree, line, locale)
  const parts = partsAround(line.text, shown)
  const [name = '', ...between] = parts
  const behind = between.pop() ?? ''
  // A price inside a sentence is not the price of what stands before it.
  const isInside =
    (name !== '' && behind.length > longestBehind) || between.some((part) => part.length > longestSize)
  if (isInside || name.length > longestName || /[.!?]\s+\p{Lu}/u.test(name)) return undefined
  if (name === '' && behind.length > longestName) return undefined
  const text =
    name === '' ? (perHead.test(behind) ? '' : behind) : `${name}${/^[([]/.test(behind) ? ` ${behind}` : ''}`
  const { rest, size } = sizeBehind(text)
  const names = [size, ...between.map((part) => part || undefined)]
  const prices = shown.map(({ price }, index) => {
    const label = shown.length > 1 ? names[index] : undefined
    return { ...(label !== undefined && { name: label }), price }
  })
  const isSized = shown.length > 1 && size !== undefined
  return {
    ...{ line, level: 0, prices, text: isSized ? rest : text, kind: text === '' ? 'price' : 'priced' },
    pieces: line.pieces.map((piece) => withoutPrices(piece, locale)).filter(Boolean),
  }
}

/** A number alone is a price where it stands in the place of one. */
function bareEntry(tree: Tree, line: Line, locale: Locale): Entry | undefined {
  if (line.text.length > longestLine) return undefined
  const led = /^(.{2,120}?)\s*(?:\.{3,}|…+|_{3,}|(?:[·.]\s){3,})\s*(\d{1,3})$/.exec(line.text)
  const last = led?.[2] ?? line.pieces.at(-1) ?? ''
  const price = barePrice(last, locale)
  if (!price || line.level > 0) return undefined
  const pieces = line.pieces.slice(0, -1)
  const text = trimmed(led?.[1] ?? pieces.join(' '))
  const isPlaced = led !== null || text !== '' || isPricePlace(tree, line.holder)
  if (!isPlaced || text.length > longestName) return undefined
  return { line, level: 0, text, pieces, prices: [{ price }], kind: text === '' ? 'price' : 'priced' }
}

const priceNames = /price|preis|prix|precio|prezzo|prijs|cena|pris|amount|cost/i

function isPricePlace(tree: Tree, node: Node): boolean {
  for (let at = node, up = 0; at > 0 && up < 2; at = parentOf(tree, at), up += 1) {
    if (tagOf(tree, at) === tag.td || priceNames.test(attribute(tree, at, attr.class) ?? '')) return true
  }
  return false
}

/** The texts before, between and behind the prices. */
function partsAround(text: string, shown: readonly ShownPrice[]): string[] {
  const ends = [0, ...shown.map(({ end }) => end)]
  const starts = [...shown.map(({ start }) => start), text.length]
  return ends.map((end, index) => trimmed(text.slice(end, starts[index])))
}

function withoutPrices(text: string, locale: Locale): string {
  const shown = shownPrices(text, locale)
  return trimmed(partsAround(text, shown).join(' '))
}

/** Without leaders and marks that part a name from its price. */
function trimmed(text: string): string {
  return text
    .replace(/(?:\.\s?){3,}|…+|_{3,}|(?:\s?·){3,}/g, ' ')
    .replace(/^[\s|/–—:;,·•*-]+/u, '')
    .replace(/[\s|/–—:;,·•-]+$/u, '')
    .replace(/\s+/g, ' ')
}

const perHead =
  /^(?:p\.? ?\/? ?p(?:ers)?\.?|per (?:person|head)|pro person|par personne|por persona|a persona|per persoon|each)$/i
const sizes = /\s+((?:\d{1,4}(?:[.,]\d{1,2})?\s?(?:cl|dl|ml|l|g|kg|oz|cm|pcs?|st(?:ü|u)ck)\.?))$/iu

function sizeBehind(text: string): { rest: string; size: string | undefined } {
  const match = sizes.exec(text)
  return match ? { rest: text.slice(0, match.index), size: match[1] } : { rest: text, size: undefined }
}

const titleTags = tagSet('caption legend summary')
const titleNames =
  /(?:section|category|group|menu|course|kategorie|rubrik)[-_]{0,2}(?:title|name|heading|header|titel)|^(?:title|heading|subtitle|titel)$/i

/** What looks like a heading in the same way has the same level. */
const levelOfLook = { titleTag: 7, term: 8, name: 9, capitals: 10, bold: 11 }

function titleLevel(tree: Tree, line: Line): number {
  if (line.level > 0) return line.level
  const name = tagOf(tree, line.holder)
  if (titleTags[name] === 1) return levelOfLook.titleTag
  if (name === tag.dt) return levelOfLook.term
  const isShort = line.text.length <= 60 && line.text.split(' ').length <= 7 && !/[.!?;,]$/.test(line.text)
  if (!isShort || !/\p{L}/u.test(line.text)) return 0
  const names = (attribute(tree, line.holder, attr.class) ?? '').split(/\s+/, 20)
  if (names.some((one) => titleNames.test(one))) return levelOfLook.name
  const isUpper = line.text === line.text.toUpperCase() && line.text !== line.text.toLowerCase()
  if (isUpper) return levelOfLook.capitals
  return isBold(tree, line) ? levelOfLook.bold : 0
}

/** Whether all of a line stands in bold type. */
function isBold(tree: Tree, { holder, first }: Line): boolean {
  const end = Math.min(endOf(tree, holder), first + 30)
  for (let node = first; node < end; node += 1) {
    if (!isText(tree, node) || textAt(tree, node).trim() === '') continue
    let at = parentOf(tree, node)
    while (at > holder && tagOf(tree, at) !== tag.b && tagOf(tree, at) !== tag.strong) at = parentOf(tree, at)
    if (at <= holder) return false
  }
  return true
}
