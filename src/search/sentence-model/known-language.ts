import { loadLanguage } from '../../extraction/text/languages.ts'
import { splitWords } from '../../extraction/text/words.ts'

const english = 'en'

/** Whether the model was trained on texts in a language. */
export function modelKnows(code: string | null | undefined): boolean {
  return code === english
}

const otherScript = /[^\P{L}\p{Script=Latin}]/u

/**
 * Whether a query is one for the model. A query is short: it is taken for English unless it has letters of another script,
 * or more small words of another language that pages are written in.
 */
export async function isForModel(query: string, languages: readonly string[]): Promise<boolean> {
  if (otherScript.test(query)) return false
  const words = splitWords(query)
  const { stopWords: own } = await loadLanguage(english)
  const ofEnglish = words.filter((word) => own.has(word)).length
  for (const code of languages) {
    const { stopWords } = await loadLanguage(code)
    if (code !== english && words.filter((word) => stopWords.has(word)).length > ofEnglish) return false
  }
  return true
}
