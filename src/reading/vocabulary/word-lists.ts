import { jsonFile } from '../../base/json-file.ts'
import { once } from '../../base/once.ts'
import type lists from './word-lists.json'

/** Words separated by spaces, as `words` writes them, by the name of their list. */
export type WordLists = typeof lists

const written = jsonFile<WordLists>(new URL('./word-lists.json', import.meta.url))

export type WordList = Pick<ReadonlySet<string>, 'has'>

/** Returns a list whose words are read on first use. */
export function wordList(name: keyof WordLists): WordList {
  const words = once(() => new Set(written()[name].split(' ')))
  return { has: (word) => words().has(word) }
}
