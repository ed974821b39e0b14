import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import type lists from './word-lists.json'

/** The words of a name as programs write it: `totalTimeMinutes`, `total_time`, `data-total-time`. */
export function nameWords(name: string): string[] {
  const spaced = name
    .slice(0, longestName)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return words(spaced)
}

const longestName = 200

/** The words of a text in lower case and without accents, so that spellings agree. */
export function words(text: string): string[] {
  return (
    text
      .slice(0, longestText)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o')
      .replaceAll('ł', 'l')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

const longestText = 2000

/** Words as they are compared: without the ending of an English plural. */
export function phraseOf(given: readonly string[]): string {
  return given.map(singular).join(' ')
}

export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** A text without percent-encoding; as it is where that is not valid. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Words separated by spaces, as `words` writes them, by the name of their list. */
export type WordLists = typeof lists

const written = jsonFile<WordLists>(new URL('./word-lists.json', import.meta.url))

export type WordList = Pick<ReadonlySet<string>, 'has'>

/** Returns a list whose words are read on first use. */
export function wordList(name: keyof WordLists): WordList {
  const words = once(() => new Set(written()[name].split(' ')))
  return { has: (word) => words().has(word) }
}
