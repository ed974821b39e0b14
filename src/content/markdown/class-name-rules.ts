import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { attr, createNameTable, findName } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

/** Meanings of class names, as bits. */
export const classMeanings = {
  /** Elements without text content: copy buttons, edit links of a wiki, icon font glyphs. */
  silent: 1,
  callout: 2,
  permalink: 4,
  /** An editor or viewer that shows code without `pre`. */
  listing: 8,
  /** An element that may have its formula in an attribute. */
  formula: 16,
  /** An image of the formula that precedes it. */
  repeatsFormula: 32,
  /** An image of the formula in the script that follows it. */
  awaitsFormula: 64,
  footnotes: 128,
  isDisplay: 256,
  /** Line numbers, if the element contains only numbers: some sites use this name for the space between columns. */
  numbers: 512,
  /** The declaration of a function or a type, built from many small elements. */
  signature: 1024,
  /** The name in a declaration whose element has no class for declarations. */
  partOfSignature: 32768,
  /** The kind of a term; a style sheet separates it with a colon. */
  classifier: 2048,
  /** The label of a tab, or a list of such labels. */
  tabs: 4096,
  /** The cell number of a notebook or the symbol of a tooltip, if there is no other content. */
  prompt: 8192,
  /** A badge, or text for screen readers: no character separates it from adjacent text. */
  apart: 65536,
  /** An element whose children are on separate lines by style sheet only. */
  lines: 131072,
  /** A table whose cells follow one another without rows. */
  grid: 16384,
  /** Inline code by style sheet only. */
  code: 524288,
  emphasis: 1048576,
}

/** Lower-case class names by their meaning, separated by spaces. */
export type ClassNames = Record<keyof typeof classMeanings, string>

const classNames = jsonFile<ClassNames>(new URL('./class-name-rules.json', import.meta.url))

const getMeanings = lazy(() => {
  const bitsByName = new Map<string, number>()
  for (const [key, list] of Object.entries(classNames())) {
    // The data file has the same keys as the type.
    const bits = classMeanings[key as keyof ClassNames]
    for (const name of list.split(' ')) bitsByName.set(name, (bitsByName.get(name) ?? 0) | bits)
  }
  return { table: createNameTable(['', ...bitsByName.keys()]), bits: [0, ...bitsByName.values()] }
})

/** Nearly every element has a class and few are known, so names are looked up without creating substrings. */
export function getClassMeaning(tree: Tree, node: Node): number {
  const { names, starts, stops } = tree.attributes
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (names[at] !== attr.class) continue
    const start = starts[at] ?? 0
    if (start >= 0) return readBits(tree.html, start, stops[at] ?? 0)
    const decoded = tree.decoded[-1 - start] ?? ''
    return readBits(decoded, 0, decoded.length)
  }
  return 0
}

function readBits(text: string, start: number, stop: number): number {
  const { table, bits } = getMeanings()
  let meanings = 0
  let from = start
  for (let at = start; at <= stop; at += 1) {
    if (at < stop && text.charCodeAt(at) > 32) continue
    if (at > from) meanings |= bits[findName(table, text, from, at)] ?? 0
    from = at + 1
  }
  return meanings
}
