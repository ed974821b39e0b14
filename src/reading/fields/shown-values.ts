import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'
import type { Lines } from './lines.ts'

/** What a page shows, to look up whether it shows a value. */
export interface ShownValues {
  numbers: ReadonlySet<number>
  /** Words of the lines, each line between two signs. */
  words: string
}

const mostLines = 4000
const longestLine = 2000
const mostNumbers = 20

/** Made where it is needed: most pages have no state. */
export function shownValues({ list }: Lines, language: string): () => ShownValues {
  let made: ShownValues | undefined
  return () => {
    made ??= read(list.slice(0, mostLines), language)
    return made
  }
}

function read(list: Lines['list'], language: string): ShownValues {
  const numbers = new Set<number>()
  const told: string[] = []
  for (const { text } of list) {
    const shown = text.slice(0, longestLine)
    told.push(words(shown).join(' '))
    for (const [written] of [...shown.matchAll(/\d(?:[\d.,'’\u00A0\u202F ]*\d)?/g)].slice(0, mostNumbers)) {
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
