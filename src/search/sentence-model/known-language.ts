import { loadLanguage } from '../../extraction/text/languages.ts'
import { splitWords } from '../../extraction/text/words.ts'

const english = 'en'

/** The model was trained on English texts. */
export const isModelLanguage = (code: string | null | undefined) => code === english

const otherScript = /[^\P{L}\p{Script=Latin}]/u

/** A short query counts as English, unless it has another script, or more stop words of another indexed language. */
export async function isSupportedByModel(query: string, languages: readonly string[]): Promise<boolean> {
  if (otherScript.test(query)) return false
  const words = splitWords(query)
  const { stopWords: englishStopWords } = await loadLanguage(english)
  const englishCount = words.filter((word) => englishStopWords.has(word)).length
  for (const code of languages) {
    const { stopWords } = await loadLanguage(code)
    if (code !== english && words.filter((word) => stopWords.has(word)).length > englishCount) return false
  }
  return true
}
