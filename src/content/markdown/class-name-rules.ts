import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { attr, createNameTable, findName } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'

export const classMeanings = {
  /** Elements without text content: copy buttons, edit links of a wiki, icon font glyphs. */
  silent: 1,
  callout: 2,
  permalink: 4,
  listing: 8,
  formula: 16,
  repeatsFormula: 32,
  awaitsFormula: 64,
  footnotes: 128,
  isDisplay: 256,
  /** Line numbers, if the element contains only numbers: some sites use this name for the space between columns. */
  numbers: 512,
  signature: 1024,
  partOfSignature: 32768,
  classifier: 2048,
  tabs: 4096,
  /** The cell number of a notebook or the symbol of a tooltip, if there is no other content. */
  prompt: 8192,
  /** A badge, or text for screen readers: no character separates it from adjacent text. */
  apart: 65536,
  /** An element whose children are on separate lines by style sheet only. */
  lines: 131072,
  grid: 16384,
  code: 524288,
  emphasis: 1048576,
}

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
