import { tag, tagSet } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { once } from '../../platform/functions.ts'
import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'
import type { Lines } from './lines.ts'

const maxNodes = 200
const longest = 2000
const inline = new Set<number>([
  ...[tag.span, tag.b, tag.i, tag.em, tag.strong, tag.a, tag.small, tag.sup, tag.sub, tag.time, tag.abbr],
])

const struck = tagSet('del s strike')

/** What an element shows, in one line. */
export function shownText(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + maxNodes)
  let text = ''
  for (let at = node + 1; at < end && text.length < longest; at += 1) {
    if (!isText(tree, at)) {
      // What is crossed out is no more.
      if (struck[tagOf(tree, at)] === 1) {
        at = endOf(tree, at) - 1
        continue
      }
      text += inline.has(tagOf(tree, at)) ? '' : ' '
      continue
    }
    const around = tagOf(tree, parentOf(tree, at))
    if (around !== tag.script && around !== tag.style) text += textAt(tree, at)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longest)
}

/** What a page shows, to look up whether it shows a value. */
export interface ShownValues {
  numbers: ReadonlySet<number>
  /** Words of the lines, each line between two signs. */
  words: string
}

const maxLines = 4000
const longestLine = 2000
const maxNumbers = 20

/** Made where it is needed: most pages have no state. */
export function shownValues({ list }: Lines, language: string): () => ShownValues {
  return once(() => read(list.slice(0, maxLines), language))
}

function read(list: Lines['list'], language: string): ShownValues {
  const numbers = new Set<number>()
  const told: string[] = []
  for (const { text } of list) {
    const shown = text.slice(0, longestLine)
    told.push(words(shown).join(' '))
    for (const [written] of [...shown.matchAll(/\d(?:[\d.,'’\u00A0\u202F ]*\d)?/g)].slice(0, maxNumbers)) {
      const value = readNumber(written, language)
      if (value !== undefined) numbers.add(value)
      // "1 of 3" and "3 5" are numbers each.
      for (const part of written.split(/[\s\u00A0\u202F]/)) numbers.add(readNumber(part, language) ?? 0)
    }
  }
  return { numbers, words: ` ${told.join(' | ')} ` }
}

/** Whether the page shows a text or a number; undefined of values that pages write in other ways. */
export function isShown(value: unknown, { numbers, words: shown }: ShownValues): boolean | undefined {
  if (typeof value === 'number') return numbers.has(value)
  if (typeof value !== 'string' || /^(?:https?:)?\/|^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  const told = words(value.slice(0, 200)).join(' ')
  return told !== '' && shown.includes(` ${told} `)
}
