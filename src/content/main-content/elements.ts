import { type Node, none, root, type Tree } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { mostNames, nameBuckets } from './name-tokens.ts'
import { enterRegions, noRegions, type Regions } from './regions.ts'

/** Facts about each element that contains text, from itself and its ancestors. */
export interface Elements {
  /** The evidence of the names of an element about its content, by the table of the model. */
  scores: Float32Array
  /** The sum, the least and the greatest over the element and all around it. */
  paths: Float32Array
  lows: Float32Array
  highs: Float32Array
  /** The nearest element around that holds more blocks. */
  wider: Int32Array
  /** How many siblings with blocks look the same, itself included. */
  repeats: Int32Array
  regions: Regions
}

export function readElements(tree: Tree, blocks: Blocks, names: Int8Array, hidden?: Uint8Array): Elements {
  const { count } = tree
  const elements: Elements = {
    scores: new Float32Array(count),
    paths: new Float32Array(count),
    lows: new Float32Array(count),
    highs: new Float32Array(count),
    wider: new Int32Array(count).fill(none),
    repeats: new Int32Array(count),
    regions: noRegions(tree, hidden),
  }
  // Children of one element that have the same tag and names, by a key of both.
  const looks = new Map<number, number>()
  const keys = new Float64Array(count)
  const buckets = new Int32Array(mostNames)
  for (let node = 1; node < count; node += 1) {
    if (tree.tags[node] === 0) continue
    const held = heldBy(tree, blocks, node)
    if (held === 0) {
      node = (tree.ends[node] ?? 0) - 1
      continue
    }
    const parent = tree.parents[node] ?? root
    const bucketCount = nameBuckets(tree, node, buckets)
    let score = 0
    let look = 0
    for (let at = 0; at < bucketCount; at += 1) {
      const bucket = buckets[at] ?? 0
      score += names[bucket] ?? 0
      look = Math.imul(look ^ bucket, 0x01000193)
    }
    inherit(elements, node, parent, score)
    elements.wider[node] = heldBy(tree, blocks, parent) > held ? parent : (elements.wider[parent] ?? none)
    enterRegions(tree, elements.regions, node, parent, buckets, bucketCount)
    const key = parent * 0x100000 + ((look ^ (look >>> 12)) & 0xfffff)
    keys[node] = key
    looks.set(key, (looks.get(key) ?? 0) + 1)
  }
  for (let node = 1; node < count; node += 1) {
    const key = keys[node] ?? 0
    if (key !== 0) elements.repeats[node] = looks.get(key) ?? 0
  }
  return elements
}

/** How many blocks begin inside an element. */
export function heldBy(tree: Tree, blocks: Blocks, node: Node): number {
  return (blocks.before[tree.ends[node] ?? 0] ?? 0) - (blocks.before[node] ?? 0)
}

function inherit({ scores, paths, lows, highs }: Elements, node: Node, parent: Node, score: number): void {
  scores[node] = score
  paths[node] = (paths[parent] ?? 0) + score
  lows[node] = Math.min(lows[parent] ?? 0, score)
  highs[node] = Math.max(highs[parent] ?? 0, score)
}
