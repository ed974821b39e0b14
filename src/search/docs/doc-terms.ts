import { analyse } from '../../reading/text/analyse.ts'
import type { Language } from '../../reading/text/languages.ts'

/** Names in code: `waitFor`, `SCRAPE_TIMEOUT`, `MAX_URL_LENGTH`. */
const names = /\b[a-z]+[a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+|\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+/g
const humps = /([a-z0-9])([A-Z])/g

/** The terms of a text of the documentation: its words, and names in code both whole and in their words. */
export function docTerms(text: string, language: Language): string[] {
  return [...analyse(wordsOfNames(text), language), ...namesIn(text)]
}

/** `waitFor` → `wait For`. */
export const wordsOfNames = (text: string) => text.replace(humps, '$1 $2')

export const namesIn = (text: string) => (text.match(names) ?? []).map((name) => name.toLowerCase())
