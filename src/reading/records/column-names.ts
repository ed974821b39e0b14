import { attr, tag } from '../../content/tree/names.ts'
import { attribute, type Node, parentOf, type Tree, tagOf } from '../../content/tree/tree.ts'
import { pathWords } from '../fields/path-words.ts'
import { singular, words } from '../vocabulary/words.ts'
import type { Cell, Column } from './cell.ts'

const fewest = 3
const mostWords = 4
const longest = 40
/** At least this share of the cells has a word that belongs to the place and not to the record. */
const leastShare = 0.8

/** Names columns by what they say in all records: a text that never changes names the one behind it, a word its own column. */
export function nameByTexts(columns: readonly Column[], records: number): void {
  if (records < 2) return
  const texts = columns
    .filter(({ form, isList }) => form === 'text' && !isList)
    .sort((one, other) => one.order - other.order)
  for (const [at, column] of texts.entries()) {
    const label = constantText(column)
    const next = texts[at + 1]
    if (label !== undefined) {
      const isBehind = /^(?:\/|per\b|pro\b|par\b|por\b|al\b|im\b)/i.test(label)
      const named = isBehind ? texts[at - 1] : next
      if (named && constantText(named) === undefined && hasLetters(label)) named.names.push(label)
      continue
    }
    const common = commonWords(column)
    if (common !== '') column.names.push(common)
  }
}

const hasLetters = (text: string) => /\p{L}{2}/u.test(text)

/** What a column says in every record that has it; undefined where it changes. */
export function constantText({ cells }: Column): string | undefined {
  if (cells.size < fewest) return undefined
  const [first, ...rest] = [...cells.values()].map(({ text }) => text)
  if (first === undefined || first.length > longest || /\d/.test(first)) return undefined
  return rest.every((text) => text === first) ? first : undefined
}

const isEnding = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 4 &&
  Math.abs(one.length - other.length) <= 2 &&
  (one.startsWith(other) || other.startsWith(one))

/** Words beside numbers: "214 reviews" in one record and "3 reviews" in the next. */
function commonWords({ cells }: Column): string {
  const counts = new Map<string, number>()
  const sample: Cell[] = [...cells.values()].slice(0, 40)
  if (sample.length < 2 || !sample.every(({ text }) => /\d/.test(text) && text.length <= longest)) return ''
  for (const { text } of sample)
    for (const word of new Set(words(text).map((one) => singular(one)))) {
      // "1 Person", "2 Personen": endings change with the number.
      const stem = [...counts.keys()].find((other) => other === word || isEnding(other, word)) ?? word
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
    }
  const kept = [...counts].filter(([word, count]) => !/\d/.test(word) && count >= sample.length * leastShare)
  return kept.length <= mostWords ? kept.map(([word]) => word).join(' ') : ''
}

/** Names texts and links by where they lead: "/agents/hollis" is an agent. */
export function nameByAddresses(tree: Tree, columns: readonly Column[]): void {
  for (const { form, isLink, cells, leads } of columns) {
    if (form !== 'link' && !isLink) continue
    const counts = new Map<string, number>()
    const sample = [...cells.values()].slice(0, 40)
    for (const { node } of sample)
      for (const word of new Set(pathWords(hrefAround(tree, node))))
        counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) if (count >= sample.length * leastShare) leads.push(word)
  }
}

function hrefAround(tree: Tree, node: Node): string {
  for (let at = node, up = 0; at > 0 && up < 4; at = parentOf(tree, at), up += 1)
    if (tagOf(tree, at) === tag.a) return attribute(tree, at, attr.href) ?? ''
  return ''
}
