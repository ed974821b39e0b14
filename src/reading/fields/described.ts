import { isUnitWord } from '../vocabulary/units.ts'
import { wordList } from '../vocabulary/word-lists.ts'
import { singular, words } from '../vocabulary/words.ts'

/** Words of a description that say nothing by themselves. */
export const fillers = wordList('fillers')

/** The words of a description that say something. */
export function hintsOf(described: readonly string[]): string[] {
  return [...new Set(described.slice(0, 40).map(singular))].filter(
    (word) => !fillers.has(word) && !isUnitWord(word),
  )
}

const breaks =
  /\b(?:of|in|on|at|for|to|by|with|without|before|after|below|above|from|per|as|that|which|who|whose|where|when|if|und|der|die|das|von|für|mit|vor|nach|pro|de|du|des|par|pour|avec|avant|del|para|con|por|di|per)\b|[.,;:–—(]/iu
const asks =
  /^(?:who|whom|whose|what|when|where|how|which|why|whether|if|is|are|has|wer|wen|was|wann|wo|wie|ob|qui|quand|où|combien|comment|si|quién|cuándo|dónde|cuánt|chi|quando|dove)\b/iu
const vague = wordList('vagueNames')

/** What a description says first, and in brackets. */
export function headsOf(description: string): string[] {
  const short = description.slice(0, 200)
  const [, bracketed = ''] = /\(([^()]{2,40})\)/.exec(short) ?? []
  const [first = '', second = ''] = short.split(breaks)
  // A question names what it asks about, not what the answer is.
  if (asks.test(short)) return hintsOf(words(bracketed))
  // "Name of the gauge": what it is of says more.
  const isVague = words(first).every((word) => vague.has(singular(word)) || fillers.has(word))
  return hintsOf([...words(isVague ? second : first), ...words(bracketed)])
}
