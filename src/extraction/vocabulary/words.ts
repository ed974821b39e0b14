import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import type lists from './word-lists.json'

export function nameWords(name: string): string[] {
  const spacedName = name
    .slice(0, maxNameLength)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return words(spacedName)
}

const maxNameLength = 200

export function words(text: string): string[] {
  const plainText = text
    .slice(0, maxTextLength)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
  return plainText.match(/[\p{L}\p{N}]+/gu) ?? []
}

const maxTextLength = 2000

export function phraseOf(given: readonly string[]): string {
  return given.map(singular).join(' ')
}

export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** Words separated by spaces, as `words` returns them, by the name of their list. */
export type WordLists = typeof lists

const wordLists = jsonFile<WordLists>(new URL('./word-lists.json', import.meta.url))

export type WordList = Pick<ReadonlySet<string>, 'has'>

export function wordList(name: keyof WordLists): WordList {
  const words = lazy(() => new Set(wordLists()[name].split(' ')))
  return { has: (word) => words().has(word) }
}
