import { attr } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

/** Hash seeds, so that equal words of different kinds of names do not share a bucket. */
const seeds = { tag: 17, class: 1, role: 29, property: 37, whole: 43 } as const

export function writeNameBuckets(tree: Tree, node: Node, buckets: Int32Array): number {
  const { attributes } = tree
  buckets[0] = bucketOf(addCode(addCode(emptyHash, seeds.tag), tree.tags[node] ?? 0))
  let count = 1
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop && count < maxNameBuckets; at += 1) {
    const name = attributes.names[at] ?? 0
    const seed = seedOf(name)
    if (seed === 0) continue
    const start = attributes.starts[at] ?? 0
    const text = start < 0 ? (tree.decoded[-1 - start] ?? '') : tree.html
    const end = start < 0 ? text.length : (attributes.stops[at] ?? 0)
    count = addWords(text, Math.max(0, start), end, seed, buckets, count)
  }
  return count
}

export const maxNameBuckets = 40

function seedOf(name: number): number {
  if (name === attr.class || name === attr.id) return seeds.class
  if (name === attr.role) return seeds.role
  return name === attr.itemprop || name === attr.itemtype ? seeds.property : 0
}

/** Adds each word, and each compound name: "post-body" yields "post", "body" and "post-body". */
function addWords(
  text: string,
  start: number,
  stop: number,
  seed: number,
  buckets: Int32Array,
  first: number,
): number {
  let count = first
  const emptyWord = addCode(emptyHash, seed)
  const emptyName = addCode(emptyHash, seeds.whole)
  let word = emptyWord
  let name = emptyName
  let wordCount = 0
  let wasLowerCase = false
  for (let at = start; at <= stop && count < maxNameBuckets - 2; at += 1) {
    const code = at < stop ? text.charCodeAt(at) : 32
    const isLowerCase = code >= 97 && code <= 122
    const isUpperCase = code >= 65 && code <= 90
    if ((!isLowerCase && !isUpperCase) || (isUpperCase && wasLowerCase)) {
      if (word !== emptyWord) {
        buckets[count] = bucketOf(word)
        count += 1
        wordCount += 1
      }
      word = emptyWord
      if (wordCount > 0 && !isLowerCase && !isUpperCase) name = addCode(name, 45)
    }
    if (isLowerCase || isUpperCase) {
      word = addCode(word, toLowerCaseCode(code))
      name = addCode(name, toLowerCaseCode(code))
    } else if (code <= 32) {
      if (wordCount > 1) {
        buckets[count] = bucketOf(name)
        count += 1
      }
      name = emptyName
      wordCount = 0
    }
    wasLowerCase = isLowerCase
  }
  return count
}

export function wordBucket(word: string): number {
  let hash = addCode(emptyHash, seeds.class)
  for (let at = 0; at < word.length; at += 1) hash = addCode(hash, word.charCodeAt(at))
  return bucketOf(hash)
}

export const tableSize = 1 << 14
export const emptyHash = 0x811c9dc5

/** Adds a code to an FNV-1a hash. Not inlined by hand, because the compiler inlines it. */
export function addCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** Returns the bucket of a hash. Folds the high bits in, because short words differ little in the low ones. */
export function bucketOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (tableSize - 1)
}

export function toLowerCaseCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
