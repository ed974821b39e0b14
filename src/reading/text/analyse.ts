import { type Language, loadLanguage } from './languages.ts'
import { fold, splitWords } from './words.ts'

/** The terms of a text in the order of its words: what the index has, and what a query is compared by. */
export function analyse(text: string, language: Language): string[] {
  return splitWords(text).map((word) => fold(language.stem(word)))
}

/** One word of a query: its terms in all languages that pages may be written in. */
export type QueryWord = string[]

/** The words of a query that say something; all of them where none does. */
export async function analyseQuery(text: string, languages: readonly string[]): Promise<QueryWord[]> {
  const known = await Promise.all(languages.map(loadLanguage))
  const all = [...new Set(splitWords(text))]
  const telling = all.filter((word) => !known.some(({ stopWords }) => stopWords.has(word)))
  const words = telling.length > 0 ? telling : all
  return words.map((word) => [...new Set([fold(word), ...known.map(({ stem }) => fold(stem(word)))])])
}
