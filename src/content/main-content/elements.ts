import { attr, tag } from '../tree/names.ts'
import { type Node, none, root, type Tree } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { maxNameBuckets, tableSize, wordBucket, writeNameBuckets } from './class-name-features.ts'

export type Elements = ReturnType<typeof createElements>

function createElements(tree: Tree, hidden: Uint8Array | undefined) {
  const { count } = tree
  return {
    scores: new Float32Array(count),
    scoreSums: new Float32Array(count),
    minScores: new Float32Array(count),
    maxScores: new Float32Array(count),
    wider: new Int32Array(count).fill(none),
    repeats: new Int32Array(count),
    regions: createRegions(tree, hidden),
  }
}

export function readElements(tree: Tree, blocks: Blocks, weights: Int8Array, hidden?: Uint8Array): Elements {
  const { count } = tree
  const elements = createElements(tree, hidden)
  const countsByKey = new Map<number, number>()
  const keys = new Float64Array(count)
  const buckets = new Int32Array(maxNameBuckets)
  for (let node = 1; node < count; node += 1) {
    if (tree.tags[node] === 0) continue
    const blockCount = blockCountIn(tree, blocks, node)
    if (blockCount === 0) {
      node = (tree.ends[node] ?? 0) - 1
      continue
    }
    const parent = tree.parents[node] ?? root
    const bucketCount = writeNameBuckets(tree, node, buckets)
    let score = 0
    let nameHash = 0
    for (let at = 0; at < bucketCount; at += 1) {
      const bucket = buckets[at] ?? 0
      score += weights[bucket] ?? 0
      nameHash = Math.imul(nameHash ^ bucket, 0x01000193)
    }
    elements.scores[node] = score
    elements.scoreSums[node] = (elements.scoreSums[parent] ?? 0) + score
    elements.minScores[node] = Math.min(elements.minScores[parent] ?? 0, score)
    elements.maxScores[node] = Math.max(elements.maxScores[parent] ?? 0, score)
    elements.wider[node] =
      blockCountIn(tree, blocks, parent) > blockCount ? parent : (elements.wider[parent] ?? none)
    enterRegions(tree, elements.regions, node, parent, buckets, bucketCount)
    const key = parent * 0x100000 + ((nameHash ^ (nameHash >>> 12)) & 0xfffff)
    keys[node] = key
    countsByKey.set(key, (countsByKey.get(key) ?? 0) + 1)
  }
  for (let node = 1; node < count; node += 1) {
    const key = keys[node] ?? 0
    if (key !== 0) elements.repeats[node] = countsByKey.get(key) ?? 0
  }
  return elements
}

export function blockCountIn(tree: Tree, blocks: Blocks, node: Node): number {
  return (blocks.before[tree.ends[node] ?? 0] ?? 0) - (blocks.before[node] ?? 0)
}

export const region = {
  nav: 0,
  header: 1,
  footer: 2,
  aside: 3,
  main: 4,
  article: 5,
  section: 6,
  form: 7,
  hidden: 8,
  list: 9,
  comments: 10,
  body: 11,
  table: 12,
} as const

export const regionCount = 13

type Regions = ReturnType<typeof createRegions>

/** The innermost region of each kind around every element. Few elements begin a region, so elements share rows. */
function createRegions(tree: Tree, hidden: Uint8Array | undefined) {
  return {
    /** `rows[rowOf[element] * regionCount + kind]` is the region. */
    rowOf: new Int32Array(tree.count),
    rows: new Array<Node>(regionCount).fill(none),
    /** If known, a mask of the nodes that are hidden permanently, unlike the panel of a tab that can be opened. */
    hidden,
  }
}

export function regionAround(regions: Regions, element: Node, kind: number): Node {
  return regions.rows[(regions.rowOf[element] ?? 0) * regionCount + kind] ?? none
}

function enterRegions(
  tree: Tree,
  regions: Regions,
  node: Node,
  parent: Node,
  buckets: Int32Array,
  bucketCount: number,
): void {
  regions.rowOf[node] = regions.rowOf[parent] ?? 0
  beginRegion(regions, node, regionByTag.get(tree.tags[node] ?? 0) ?? none)
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const kind = getAttributeRegion(tree, at)
    const name = tree.attributes.names[at]
    const canBeOpened = kind === region.hidden && (name === attr.hidden || name === attr.style)
    if (!canBeOpened || regions.hidden?.[node] !== 0) beginRegion(regions, node, kind)
  }
  for (let at = 0; at < bucketCount; at += 1) {
    const kind = regionByBucket[buckets[at] ?? 0] ?? 0
    // The outermost comments region counts, but the innermost body.
    if (kind === region.body || (kind !== 0 && regionAround(regions, parent, kind) === none)) {
      beginRegion(regions, node, kind)
    }
  }
}

function beginRegion(regions: Regions, node: Node, kind: number): void {
  if (kind === none) return
  const row = regions.rowOf[node] ?? 0
  const hasOwnRow = row * regionCount + regionCount === regions.rows.length && ownsRow(regions, node, row)
  if (!hasOwnRow) {
    const start = row * regionCount
    const count = regions.rows.length / regionCount
    for (let at = 0; at < regionCount; at += 1) regions.rows.push(regions.rows[start + at] ?? none)
    regions.rowOf[node] = count
  }
  regions.rows[(regions.rowOf[node] ?? 0) * regionCount + kind] = node
}

/** Returns true if the row was created for this element: then it contains the element. */
function ownsRow(regions: Regions, node: Node, row: number): boolean {
  for (let at = 0; at < regionCount; at += 1) if (regions.rows[row * regionCount + at] === node) return true
  return false
}

const regionTags = [
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'section',
  'form',
  'table',
] as const
const regionByTag = new Map<number, number>([
  ...regionTags.map((name): [number, number] => [tag[name], region[name]]),
  ...[tag.ul, tag.ol, tag.dl].map((list): [number, number] => [list, region.list]),
  [tag.dialog, region.hidden],
])

const regionByRole = new Map<string, number>([
  ['navigation', region.nav],
  ['menu', region.nav],
  ['menubar', region.nav],
  ['banner', region.header],
  ['contentinfo', region.footer],
  ['complementary', region.aside],
  ['main', region.main],
  ['article', region.article],
  ['search', region.form],
  ['form', region.form],
  ['dialog', region.hidden],
  ['alertdialog', region.hidden],
])

function getAttributeRegion(tree: Tree, at: number): number {
  const { attributes } = tree
  const name = attributes.names[at] ?? 0
  if (name === attr.hidden) return region.hidden
  if (name !== attr.role && name !== attr.style && name !== attr['aria-hidden']) return none
  const start = attributes.starts[at] ?? 0
  const value = start < 0 ? (tree.decoded[-1 - start] ?? '') : tree.html.slice(start, attributes.stops[at])
  if (name === attr.role) return regionByRole.get(value.trim().toLowerCase()) ?? none
  const isHidden =
    name === attr.style ? /display\s*:\s*none|visibility\s*:\s*hidden/i.test(value) : value === 'true'
  return isHidden ? region.hidden : none
}

const regionWords: readonly [number, string][] = [
  [region.comments, 'comment comments commentlist respond reply replies disqus discussion responses reviews'],
  [region.body, 'content body text entry post article story main prose markdown description message'],
]

const regionByBucket = new Uint8Array(tableSize)
for (const [kind, words] of regionWords)
  for (const word of words.split(' ')) regionByBucket[wordBucket(word)] = kind
