import { jsonFile } from '../../platform/json/json.ts'
import { attr } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

/** The meaning of the class names of an element, as bits. */
export const says = {
  /** Buttons to copy, the edit links of a wiki, the names of icons in a font: nothing of it is text. */
  silent: 1,
  callout: 2,
  permalink: 4,
  /** An editor or a viewer that shows code without `pre`. */
  listing: 8,
  /** It may carry its formula in an attribute. */
  formula: 16,
  /** A drawing of the formula that stands before it. */
  repeatsFormula: 32,
  /** A drawing of the formula in the script behind it. */
  awaitsFormula: 64,
  footnotes: 128,
  isDisplay: 256,
  /** Line numbers, if it holds nothing but numbers: some sites call the space between columns so. */
  numbers: 512,
  /** The declaration of a function or a type, put together from many small elements. */
  signature: 1024,
  /** The name in such a declaration, which has no separate class. */
  partOfSignature: 32768,
  /** The kind of a term, which a style sheet parts from it by a colon. */
  classifier: 2048,
  /** Tabs: what one is called, or the labels of several. */
  tabs: 4096,
  /** The number of a cell in a notebook or the sign of a tooltip, if it holds nothing else. */
  prompt: 8192,
  /** A badge, or words for screen readers: nothing in the text parts it from what stands beside it. */
  apart: 65536,
  /** Its parts stand on lines of their own, by the style sheet alone. */
  lines: 131072,
  /** A table whose cells follow one another without rows. */
  grid: 16384,
  /** Code in a line, by the style sheet alone. */
  code: 524288,
  emphasis: 1048576,
}

/** Class names in lower case by what they say, separated by spaces. */
export type ClassNames = Record<keyof typeof says, string>

const classNames = jsonFile<ClassNames>(new URL('./class-name-rules.json', import.meta.url))

interface Words {
  /** By hash: the place of a word in the list, or zero. */
  slots: Uint16Array
  names: string[]
  bits: number[]
}

const slotCount = 2048
const firstHash = 5381

let table: Words | undefined

function wordTable(): Words {
  const made: Words = { slots: new Uint16Array(slotCount), names: [''], bits: [0] }
  for (const [key, list] of Object.entries(classNames())) {
    // The keys of the file are those of the type.
    const bits = says[key as keyof ClassNames]
    for (const name of list.split(' ')) {
      let slot = hashOf(name, 0, name.length)
      while (made.slots[slot] && made.names[made.slots[slot] ?? 0] !== name) slot = next(slot)
      const place = made.slots[slot] || made.names.push(name) - 1
      made.slots[slot] = place
      made.bits[place] = (made.bits[place] ?? 0) | bits
    }
  }
  return made
}

/**
 * Nearly every element has a class and nearly none says anything here, so the names are looked up where they
 * stand in the page, without cutting them out.
 */
export function classMatches(tree: Tree, node: Node): number {
  const { names, starts, stops } = tree.attributes
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (names[at] !== attr.class) continue
    const start = starts[at] ?? 0
    if (start >= 0) return bitsOf(tree.html, start, stops[at] ?? 0)
    const decoded = tree.decoded[-1 - start] ?? ''
    return bitsOf(decoded, 0, decoded.length)
  }
  return 0
}

function bitsOf(text: string, start: number, stop: number): number {
  let bits = 0
  let from = start
  let hash = firstHash
  for (let at = start; at <= stop; at += 1) {
    const code = at < stop ? text.charCodeAt(at) : 32
    if (code > 32) {
      hash = mixed(hash, code)
      continue
    }
    if (at > from) bits |= find(text, from, at, hash & (slotCount - 1))
    from = at + 1
    hash = firstHash
  }
  return bits
}

function find(text: string, start: number, stop: number, hash: number): number {
  table ??= wordTable()
  for (let slot = hash; ; slot = next(slot)) {
    const place = table.slots[slot] ?? 0
    if (place === 0) return 0
    const name = table.names[place] ?? ''
    if (name.length === stop - start && text.slice(start, stop).toLowerCase() === name) {
      return table.bits[place] ?? 0
    }
  }
}

function hashOf(text: string, start: number, stop: number): number {
  let hash = firstHash
  for (let at = start; at < stop; at += 1) hash = mixed(hash, text.charCodeAt(at))
  return hash & (slotCount - 1)
}

// Letters of either case give one hash.
function mixed(hash: number, code: number): number {
  return ((hash << 5) + hash + (code | 32)) | 0
}

function next(slot: number): number {
  return (slot + 1) & (slotCount - 1)
}
