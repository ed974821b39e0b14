import { wordList } from '../vocabulary/word-lists.ts'

export const lows = wordList('lowEnds')
export const highs = wordList('highEnds')

export function boundOf(own: readonly string[], outer: readonly string[]): 'low' | 'high' | undefined {
  if (own.length + outer.length < 2) return undefined
  for (const word of [own[0] ?? '', own.at(-1) ?? '']) {
    if (lows.has(word)) return 'low'
    if (highs.has(word)) return 'high'
  }
  return undefined
}
