import { absoluteUrl } from '../../content/addresses.ts'
import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  parentOf,
  type Tree,
  tagOf,
  textOf,
} from '../../content/tree/tree.ts'
import type { Lines } from '../../reading/fields/lines.ts'
import { caloriesIn, dietsInWords, type Marks, readMarks } from './dietary.ts'
import type { DraftItem, MenuImage } from './draft.ts'
import type { Entry } from './entries.ts'
import type { Group } from './groups.ts'

export interface LinesOfItem {
  card: Group['card']
  lines: Entry[]
}

interface ItemReader {
  lines: Lines
  marks: Marks
  base: string
}

/** An item that has an element of its own, with its picture and its address. */
export function itemOfCard(
  reader: ItemReader,
  { card, lines }: LinesOfItem,
  behind: Entry[],
): DraftItem | undefined {
  const item = itemOfLines(reader, lines, behind)
  if (!item || !card) return item
  const { tree } = reader.lines
  return {
    ...item,
    prices: withColumnNames(tree, lines, item.prices),
    images: imagesIn(tree, card.node, reader.base),
    ...linkIn(tree, card.node, reader.base),
  }
}

/** Lines in page order: the first is the name, unless a later one is a heading. */
export function itemOfLines(reader: ItemReader, lines: Entry[], behind: Entry[]): DraftItem | undefined {
  const texts = lines.filter(({ kind, text }) => kind !== 'aside' && kind !== 'column' && text !== '')
  const titles = texts.filter(({ kind }) => kind === 'title')
  const highest = Math.min(...titles.map(({ level }) => level))
  const head = titles.find(({ level }) => level === highest) ?? texts[0]
  if (!head) return undefined
  const { name: written, rest } = nameIn(head)
  const { name, diets } = readMarks(written, reader.marks)
  if (!/\p{L}/u.test(name) || name.length > longestName) return undefined
  const others = [...texts.filter((entry) => entry !== head), ...behind].map(({ text }) => text)
  const described = [rest, ...others].filter(
    (text) => /\p{L}/u.test(text) && text !== name && !calls.test(text),
  )
  const description = described.join(' ').slice(0, longestDescription)
  const told = [written, ...described].join('\n')
  const calories = caloriesIn(told)
  const soldOut = soldOutWords.exec(told)?.[0]
  return {
    ...{ name, images: [], prices: lines.flatMap(({ prices }) => prices) },
    ...(description !== '' && { description }),
    dietary: [
      ...new Set([
        ...diets,
        ...described.flatMap((text) => readMarks(text, reader.marks).diets),
        ...dietsInWords(told),
      ]),
    ],
    ...(calories !== undefined && { calories }),
    ...(soldOut !== undefined && { availability: { inStock: false, text: soldOut } }),
  }
}

const longestName = 120
const longestDescription = 1000
/** What a card asks its reader to do. */
const calls =
  /^(?:add|add to (?:cart|basket|bag|order)|order(?: now| online)?|buy(?: now)?|(?:view|see|read|learn) more|view details|details|in den warenkorb|(?:jetzt )?bestellen|ajouter(?: au panier)?|commander|añadir(?: al carrito)?|agregar|pedir|aggiungi(?: al carrello)?|ordina|in winkelwagen|bestel|zamów|adicionar)$/iu
const soldOutWords =
  /(?<!\p{L})(?:sold out|currently unavailable|ausverkauft|nicht verfügbar|épuisé|agotado|esaurito|uitverkocht|esgotado|売り切れ)(?!\p{L})/iu

/** A name and what is said of it in the same line. */
function nameIn({ text, pieces, kind }: Entry): { name: string; rest: string } {
  const [first = '', ...others] = pieces
  const isParted = kind !== 'title' && others.length > 0 && first.length >= 3 && /\p{L}{2}/u.test(first)
  if (isParted && text.startsWith(first)) {
    const rest = text.slice(first.length).replace(/^[\s–—:|,-]+/u, '')
    // A mark behind the name belongs to it.
    if (/^[([]?[A-Z]{1,3}[)\]]?$/.test(rest)) return { name: text, rest: '' }
    if (/^\p{Lu}|^[\p{Ll}\d(]/u.test(rest) && rest.length > 3) return { name: first, rest }
  }
  const [, name, rest] = /^(.{3,60}?)(?:\s[–—|-]\s|:\s)(.{3,})$/u.exec(text) ?? []
  return name !== undefined && rest !== undefined ? { name, rest } : { name: text, rest: '' }
}

/** Prices in the columns of a table have the names of these, where there are several. */
function withColumnNames(tree: Tree, lines: Entry[], prices: DraftItem['prices']): DraftItem['prices'] {
  const cells = lines.filter(({ kind }) => kind === 'price')
  if (prices.length < 2 || cells.length !== prices.length) return prices
  const names = cells.map(({ line }) => columnName(tree, line.holder))
  return prices.map((entry, index) => {
    const name = entry.name ?? names[index]
    return { ...entry, ...(name !== undefined && { name }) }
  })
}

function columnName(tree: Tree, node: Node): string | undefined {
  let cell = node
  while (cell > 0 && tagOf(tree, cell) !== tag.td) cell = parentOf(tree, cell)
  const row = parentOf(tree, cell)
  let table = row
  while (table > 0 && tagOf(tree, table) !== tag.table) table = parentOf(tree, table)
  if (cell <= 0 || table <= 0) return undefined
  const head = firstRow(tree, table)
  if (head === undefined || head === row) return undefined
  const place = cellsOf(tree, row).indexOf(cell)
  const above = cellsOf(tree, head)[place]
  const text =
    above === undefined || tagOf(tree, above) !== tag.th
      ? ''
      : textOf(tree, above).replace(/\s+/g, ' ').trim()
  return text === '' || text.length > 40 ? undefined : text
}

function firstRow(tree: Tree, table: Node): Node | undefined {
  const end = Math.min(endOf(tree, table), table + 200)
  for (let node = table + 1; node < end; node += 1) if (tagOf(tree, node) === tag.tr) return node
  return undefined
}

const mostCells = 30

function cellsOf(tree: Tree, row: Node): Node[] {
  const cells: Node[] = []
  for (let node = row + 1; node < endOf(tree, row) && cells.length < mostCells; node = endOf(tree, node)) {
    if (tagOf(tree, node) === tag.td || tagOf(tree, node) === tag.th) cells.push(node)
  }
  return cells
}

const mostNodes = 400

function imagesIn(tree: Tree, card: Node, base: string): MenuImage[] {
  const end = Math.min(endOf(tree, card), card + mostNodes)
  for (let node = card; node < end; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.img) continue
    const url = absoluteUrl(imageSource(tree, node), base)
    if (url === undefined || !/^https?:/.test(url) || /\.svg(?:$|\?)|icon|logo/i.test(url)) continue
    const alt = attribute(tree, node, attr.alt)?.trim()
    return [{ url, ...(alt && { alt }) }]
  }
  return []
}

function linkIn(tree: Tree, card: Node, base: string): { url?: string } {
  const end = Math.min(endOf(tree, card), card + mostNodes)
  for (let node = card; node < end; node += 1) {
    if (isText(tree, node) || tagOf(tree, node) !== tag.a) continue
    const href = attribute(tree, node, attr.href)
    if (href === undefined || href.startsWith('#')) continue
    const url = absoluteUrl(href, base)
    if (url !== undefined && /^https?:/.test(url)) return { url }
  }
  return {}
}
