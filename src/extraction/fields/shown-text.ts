import { tag, tagSet } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { lazy } from '../../platform/functions.ts'
import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'
import { type Lines, strikethroughTags } from './lines.ts'

const maxNodes = 200
const maxTextLength = 2000
const inlineTags = tagSet('span b i em strong a small sup sub time abbr')

export function shownText(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + maxNodes)
  let text = ''
  for (let at = node + 1; at < end && text.length < maxTextLength; at += 1) {
    if (!isText(tree, at)) {
      if (strikethroughTags[tagOf(tree, at)] === 1) {
        at = endOf(tree, at) - 1
        continue
      }
      text += inlineTags[tagOf(tree, at)] === 1 ? '' : ' '
      continue
    }
    const parentTag = tagOf(tree, parentOf(tree, at))
    if (parentTag !== tag.script && parentTag !== tag.style) text += textAt(tree, at)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
}

const maxLines = 4000
const maxLineLength = 2000
const maxNumbers = 20

/** Returns a function that collects the values on first use, because most pages have no embedded state. */
export const shownValues = (lines: Lines, language: string) => lazy(() => collectShownValues(lines, language))

function collectShownValues({ list }: Lines, language: string) {
  const numbers = new Set<number>()
  const lineWords: string[] = []
  for (const { text } of list.slice(0, maxLines)) {
    const shown = text.slice(0, maxLineLength)
    lineWords.push(words(shown).join(' '))
    for (const [numberText] of [...shown.matchAll(/\d(?:[\d.,'’\u00A0\u202F ]*\d)?/g)].slice(0, maxNumbers)) {
      const value = readNumber(numberText, language)
      if (value !== undefined) numbers.add(value)
      // "1 of 3" and "3 5" contain separate numbers.
      for (const part of numberText.split(/[\s\u00A0\u202F]/)) numbers.add(readNumber(part, language) ?? 0)
    }
  }
  return { numbers, words: ` ${lineWords.join(' | ')} ` }
}

export type ShownValues = ReturnType<typeof collectShownValues>

/** True if the page shows a text or a number; undefined for URLs and dates, which pages display in other formats. */
export function isShown(value: unknown, { numbers, words: shown }: ShownValues): boolean | undefined {
  if (typeof value === 'number') return numbers.has(value)
  if (typeof value !== 'string' || /^(?:https?:)?\/|^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  const valueWords = words(value.slice(0, 200)).join(' ')
  return valueWords !== '' && shown.includes(` ${valueWords} `)
}
