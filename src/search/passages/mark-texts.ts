import { type Query, rankingText } from '../query/query.ts'
import { analyseQuery } from '../text/analyse.ts'
import { detectLanguage } from '../text/detect-language.ts'
import { loadLanguage } from '../text/languages.ts'
import { marksIn, type Passage, wordFinder } from './passage.ts'

/** Texts of others → where words of a query stand in each. */
export function markTexts(query: Query, texts: readonly string[]): Promise<Passage['marks'][]> {
  return Promise.all(
    texts.map(async (text) => {
      const code = detectLanguage(undefined, text)
      const words = await analyseQuery(rankingText(query), code === undefined ? [] : [code])
      return marksIn(text, wordFinder(words, await loadLanguage(code)))
    }),
  )
}
