import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, none, root, type Tree } from '../tree/tree.ts'
import { type Blocks, fact, factsPerBlock } from './blocks.ts'
import { heldBy } from './elements.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { addCode, emptyHash } from './hashing.ts'
import { region, regionAround } from './regions.ts'

/** Siblings that are built alike: the cards of a collection, the posts of a thread, the entries of a list. */
export interface Group {
  records: Node[]
  slots: Slot[]
}

/** The same place in every record, with the blocks that stand there. */
export interface Slot {
  blocks: number[]
  /** How many records have it. */
  records: number
  isHeading: boolean
  isLink: boolean
  isPrice: boolean
}

export const fewestRecords = 3
/** Maximum number of blocks of a record that are compared; longer ones are separate texts. */
const mostBlocks = 64
const mostWordsOfFact = 14
/** Of the places of a record, how many most of the others must have as well. */
const leastAlike = 0.5
const mostLevels = 16

/** The widest groups of a page; everything inside a group belongs to its records. */
export function findGroups(evidence: Evidence): Group[] {
  const { tree, blocks } = evidence
  const groups: Group[] = []
  for (let node = root; node < tree.count; ) {
    const held = tree.tags[node] === 0 && node !== root ? 0 : heldBy(tree, blocks, node)
    const end = node === root ? tree.count : (tree.ends[node] ?? tree.count)
    if (held < fewestRecords * 2 && node !== root) {
      node = end
      continue
    }
    const group = isOutside(evidence, node) ? undefined : groupIn(evidence, node, end)
    if (group) groups.push(group)
    node = group ? end : node + 1
  }
  return groups
}

/** Entries there are similar too, but they are about the site. */
function isOutside({ tree, elements }: Evidence, node: Node): boolean {
  if (node === root || tree.tags[node] === tag.tr) return true
  const { regions } = elements
  const around = (kind: number) => regionAround(regions, node, kind)
  const content = Math.max(around(region.main), around(region.article))
  const surroundings = Math.max(around(region.footer), around(region.header), around(region.aside))
  return around(region.nav) !== none || around(region.hidden) !== none || surroundings > content
}

function groupIn(evidence: Evidence, parent: Node, end: Node): Group | undefined {
  const { tree, blocks } = evidence
  const byTag = new Map<number, Node[]>()
  for (let child = parent + 1; child < end; child = tree.ends[child] ?? end) {
    const name = tree.tags[child] ?? 0
    if (name === 0 || heldBy(tree, blocks, child) < 2) continue
    const alike = byTag.get(name)
    if (alike) alike.push(child)
    else byTag.set(name, [child])
  }
  for (const records of byTag.values()) {
    if (records.length < fewestRecords) continue
    const group = compare(evidence, records)
    if (group) return group
  }
  return undefined
}

function compare(evidence: Evidence, records: Node[]): Group | undefined {
  const slots = new Map<number, Slot & { last: Node; headings: number; links: number; prices: number }>()
  const placesOf: Set<number>[] = []
  for (const record of records) {
    const places = new Set<number>()
    const times = new Map<number, number>()
    placesOf.push(places)
    const from = evidence.blocks.before[record] ?? 0
    const to = evidence.blocks.before[evidence.tree.ends[record] ?? 0] ?? 0
    for (let block = from; block < Math.min(to, from + mostBlocks); block += 1) {
      const path = placeOf(evidence, block, record)
      // Their order distinguishes facts that stand in a row, but not paragraphs.
      const isFact = (evidence.blocks.words[block] ?? 0) <= mostWordsOfFact
      const order = isFact ? (times.get(path) ?? 0) + 1 : 0
      if (isFact) times.set(path, order)
      const place = addCode(path, order)
      places.add(place)
      const slot = slots.get(place) ?? newSlot()
      slots.set(place, slot)
      slot.blocks.push(block)
      if (slot.last !== record) slot.records += 1
      slot.last = record
      const tagOfHolder = evidence.tree.tags[holderOf(evidence.blocks, block)] ?? 0
      slot.headings += Number(tagOfHolder >= tag.h1 && tagOfHolder <= tag.h6)
      slot.links += Number((evidence.blocks.linkWords[block] ?? 0) > 0)
      slot.prices += Number(isPrice(evidence.blocks, block))
    }
  }
  if (!areAlike(records.length, placesOf, slots)) return undefined
  return {
    records,
    slots: [...slots.values()].map(({ blocks, records: count, headings, links, prices }) => ({
      blocks,
      records: count,
      isHeading: headings * 2 > blocks.length,
      isLink: links * 2 > blocks.length,
      isPrice: prices * 2 > blocks.length,
    })),
  }
}

const newSlot = () => ({
  blocks: [],
  records: 0,
  isHeading: false,
  isLink: false,
  isPrice: false,
  last: none,
  headings: 0,
  links: 0,
  prices: 0,
})

const mostWordsOfPrice = 12

function isPrice(blocks: Blocks, block: number): boolean {
  const prices = blocks.facts[block * factsPerBlock + fact.prices] ?? 0
  return prices > 0 && (blocks.words[block] ?? 0) < mostWordsOfPrice
}

/** Most records have most of the places that most records have. */
function areAlike(count: number, placesOf: Set<number>[], slots: Map<number, Slot>): boolean {
  const common = [...slots].filter(([, slot]) => slot.records * 2 > count).map(([place]) => place)
  if (common.length < 2) return false
  const alike = placesOf.filter((places) => {
    const shared = common.filter((place) => places.has(place)).length
    return shared >= common.length * leastAlike && shared >= 2
  })
  return alike.length >= fewestRecords && alike.length >= count * 0.8
}

/** A number for where in its record a block stands: the tags from there up, and what they are called. */
function placeOf({ tree, blocks }: Evidence, block: number, record: Node): number {
  let place = emptyHash
  let levels = 0
  for (
    let node = holderOf(blocks, block);
    node > record && levels < mostLevels;
    node = tree.parents[node] ?? root
  ) {
    levels += 1
    place = addCode(addCode(place, tree.tags[node] ?? 0), classHash(tree, node))
  }
  return place
}

const mostLetters = 60

/** Of the first name only: later ones tell the odd from the even. Numbers tell one record from the next. */
function classHash(tree: Tree, node: Node): number {
  const value = attribute(tree, node, attr.class)
  if (value === undefined) return 0
  let hash = emptyHash
  for (let at = 0; at < value.length && at < mostLetters; at += 1) {
    const code = value.charCodeAt(at)
    if (code <= 32) break
    if (code < 48 || code > 57) hash = addCode(hash, code)
  }
  return hash
}

/** Groups stand in the order of the page and never inside each other. */
export function isInGroup(tree: Tree, groups: Group[], node: Node): boolean {
  let [from, to] = [0, groups.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const records = groups[middle]?.records ?? []
    if (node < (records[0] ?? 0)) to = middle
    else if (node >= (tree.ends[records.at(-1) ?? 0] ?? 0)) from = middle + 1
    else return true
  }
  return false
}
