import { attr } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

/** Different kinds of names must not meet in one bucket because they are spelt alike. */
const seeds = { tag: 17, class: 1, id: 1, role: 29, property: 37, whole: 43 } as const

/**
 * The buckets of all that an element is called by its author: its tag, and the words in its class, id, role
 * and property. Gives their number; `found` must have room for `maxNames`.
 */
export function nameBuckets(tree: Tree, node: Node, found: Int32Array): number {
  const { attributes } = tree
  found[0] = bucketOf(addCode(addCode(emptyHash, seeds.tag), tree.tags[node] ?? 0))
  let count = 1
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop && count < maxNames; at += 1) {
    const name = attributes.names[at] ?? 0
    const seed = seedOf(name)
    if (seed === 0) continue
    const start = attributes.starts[at] ?? 0
    const decoded = start < 0 ? (tree.decoded[-1 - start] ?? '') : undefined
    count =
      decoded === undefined
        ? addWords(tree.html, start, attributes.stops[at] ?? 0, seed, found, count)
        : addWords(decoded, 0, decoded.length, seed, found, count)
  }
  return count
}

export const maxNames = 40

function seedOf(name: number): number {
  if (name === attr.class || name === attr.id) return seeds.class
  if (name === attr.role) return seeds.role
  return name === attr.itemprop || name === attr.itemtype ? seeds.property : 0
}

/** Each word, and each name as a whole: "post-body" is a post, a body and a post's body. */
function addWords(
  text: string,
  start: number,
  stop: number,
  seed: number,
  found: Int32Array,
  first: number,
): number {
  let count = first
  const from = addCode(emptyHash, seed)
  const wholeFrom = addCode(emptyHash, seeds.whole)
  let word = from
  let whole = wholeFrom
  let parts = 0
  let wasSmall = false
  for (let at = start; at <= stop && count < maxNames - 2; at += 1) {
    const code = at < stop ? text.charCodeAt(at) : 32
    const small = code >= 97 && code <= 122
    const large = code >= 65 && code <= 90
    if ((!small && !large) || (large && wasSmall)) {
      if (word !== from) {
        found[count] = bucketOf(word)
        count += 1
        parts += 1
      }
      word = from
      if (parts > 0 && !small && !large) whole = addCode(whole, 45)
    }
    if (small || large) {
      word = addCode(word, lowered(code))
      whole = addCode(whole, lowered(code))
    } else if (code <= 32) {
      if (parts > 1) {
        found[count] = bucketOf(whole)
        count += 1
      }
      whole = wholeFrom
      parts = 0
    }
    wasSmall = small
  }
  return count
}

/** The bucket of a word in a class or an id. */
export function wordBucket(word: string): number {
  let hash = addCode(emptyHash, seeds.class)
  for (let at = 0; at < word.length; at += 1) hash = addCode(hash, word.charCodeAt(at))
  return bucketOf(hash)
}

/** Words are known by a hash, so that neither a page nor the tables of the model need them as strings. */

export const tableSize = 1 << 14

export const emptyHash = 0x811c9dc5

/** FNV-1a; steps are inlined nowhere, the compiler does that. */
export function addCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** The bucket of a hash; high bits are folded in because short words differ little in the low ones. */
export function bucketOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (tableSize - 1)
}

export function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
