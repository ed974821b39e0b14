import { type Language, loadLanguage } from './languages.ts'
import { fold, splitWords } from './words.ts'

/** The terms of a text in the order of its words: what the index has, and what a query is compared by. */
export function analyse(text: string, language: Language): string[] {
  return splitWords(text)
    .map(language.term)
    .filter((term) => term !== '')
}

/** The terms of a text without its stop words. */
export function analyseText(text: string, language: Language): string[] {
  return splitWords(text)
    .filter((word) => !language.stopWords.has(word))
    .map(language.term)
    .filter((term) => term !== '')
}

/**
 * The terms of a long text, with each of its stop words once and at the end. They are a large part of a page, and
 * matter only to queries that consist of them.
 */
export function analyseBody(text: string, language: Language): string[] {
  const terms: string[] = []
  const stopTerms = new Set<string>()
  for (const word of splitWords(text)) {
    const term = language.term(word)
    if (term === '') continue
    if (language.stopWords.has(word)) stopTerms.add(term)
    else terms.push(term)
  }
  for (const term of stopTerms) terms.push(term)
  return terms
}

/** One word of a query: its terms in all languages that pages may be written in. */
export type QueryWord = string[]

/** The words of a query that say something; all of them where none does. */
export async function analyseQuery(text: string, languages: readonly string[]): Promise<QueryWord[]> {
  const known = await Promise.all(languages.map(loadLanguage))
  const all = [...new Set(splitWords(text))]
  const telling = all.filter((word) => !known.some(({ stopWords }) => stopWords.has(word)))
  const words = telling.length > 0 ? telling : all
  const forms = words.map((word) => new Set([fold(word), ...known.map(({ term }) => term(word))]))
  // A word may consist of marks alone, of which nothing is left.
  for (const ofWord of forms) ofWord.delete('')
  return forms.filter(({ size }) => size > 0).map((ofWord) => [...ofWord])
}
