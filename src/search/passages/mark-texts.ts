import { analyseQuery } from '../../reading/text/analyse.ts'
import { detectLanguage } from '../../reading/text/detect-language.ts'
import { loadLanguage } from '../../reading/text/languages.ts'
import { type Query, rankingText } from '../query/query.ts'
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
