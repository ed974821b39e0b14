import { analyse } from '../../reading/text/analyse.ts'
import type { Language } from '../../reading/text/languages.ts'
import { fold, splitWords } from '../../reading/text/words.ts'
import { synonymsOf } from './synonyms.ts'

/** Names in code: `waitFor`, `SCRAPE_TIMEOUT`, `MAX_URL_LENGTH`. */
const names = /\b[a-z]+[a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+|\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+/g
const humps = /([a-z0-9])([A-Z])/g

/** The terms of a text of the documentation: its words, and names in code both whole and in their words. */
export function docTerms(text: string, language: Language): string[] {
  const whole = text.match(names) ?? []
  return [...analyse(text.replace(humps, '$1 $2'), language), ...whole.map((name) => name.toLowerCase())]
}

/** A word of a question: the term itself, and terms that other people use for the same. */
export interface AskedWord {
  word: string
  term: string
  others: string[]
}

/** A question is not a text; what stands behind is not looked for. */
const mostWords = 200

/** The words of a question that say something; all of them where none does. */
export function askedWords(question: string, language: Language): AskedWord[] {
  const spaced = question.replace(humps, '$1 $2')
  const all = [...new Set(splitWords(spaced))].slice(0, mostWords)
  const telling = all.filter((word) => !language.stopWords.has(word) && !asking.has(word))
  const words = (telling.length > 0 ? telling : all).map((word) => askedWord(word, language))
  const whole = new Set((question.match(names) ?? []).map((name) => name.toLowerCase()))
  const named = [...whole].map((name) => ({ word: name, term: name, others: [] }))
  const known = new Set<string>()
  return [...named, ...words].filter(({ term }) => !known.has(term) && known.add(term)).slice(0, mostWords)
}

function askedWord(word: string, language: Language): AskedWord {
  const term = fold(language.stem(word))
  const others = synonymsOf(word, term, language).filter((other) => other !== term)
  return { word, term, others }
}

/** Words of questions themselves, and of their politeness: they stand in no answer. */
const asking = new Set(
  (
    'can could would should may might how what when where which who why does do did is are was get got want need ' +
    'try trying please help way possible use using make let tell know anybody someone something anything there ' +
    'winnow i my me we our us you your it its this that these those a an the to of in on for with from by'
  ).split(' '),
)
