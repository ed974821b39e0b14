import { type Language, loadLanguage } from './languages.ts'
import { fold, splitWords } from './words.ts'

export function analyse(text: string, language: Language): string[] {
  const terms = splitWords(text).map(language.term)
  return terms.filter((term) => term !== '')
}

/** Leaves out stop words. */
export function analyseText(text: string, language: Language): string[] {
  const words = splitWords(text).filter((word) => !language.stopWords.has(word))
  return words.map(language.term).filter((term) => term !== '')
}

/** Adds each stop word once, at the end: they are frequent, and matter only if a query consists of them. */
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

/** Word of a query: its terms in all languages of the pages. */
export type QueryWord = string[]

export async function analyseQuery(text: string, languages: readonly string[]): Promise<QueryWord[]> {
  const loaded = await Promise.all(languages.map(loadLanguage))
  const all = [...new Set(splitWords(text))]
  const significant = all.filter((word) => !loaded.some(({ stopWords }) => stopWords.has(word)))
  const words = significant.length > 0 ? significant : all
  const forms = words.map((word) => new Set([fold(word), ...loaded.map(({ term }) => term(word))]))
  // A word may consist of combining marks only, which leaves an empty term.
  for (const wordForms of forms) wordForms.delete('')
  return forms.filter(({ size }) => size > 0).map((wordForms) => [...wordForms])
}
