import type { Content } from '../../content/content.ts'
import { isPromptInjection } from '../grounding/prompt-injection.ts'
import { findPassages, type PassageResults } from '../passages/find-passages.ts'
import { type PageSentences, pageSentences } from '../passages/markdown-blocks.ts'
import { summarise } from '../passages/summarise.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { type Language, loadLanguage } from '../text/languages.ts'

export interface PageText extends PageSentences {
  language: Language & { code: string | undefined }
}

const maxSummaryInputLength = 120_000

export async function readPageText(content: Content): Promise<PageText> {
  const markdown = content.markdown()
  const code = guessLanguage(content.metadata().language, markdown)
  const language = { ...(await loadLanguage(code)), code }
  return { ...pageSentences(markdown, language), language }
}

export function passagesFor(text: PageText, queries: readonly { query: string }[]): PassageResults[] {
  return queries.map(({ query }) => findPassages(text, query, text.language))
}

/** `sentences` are limited for a language model, in page order, without those that look like a prompt injection. */
export function summarizePage(text: PageText, content: Content) {
  const { title = '', description = '' } = content.metadata()
  const summary = summarise(text, { title, description }, text.language)
  const sentences: string[] = []
  let length = 0
  for (const sentence of text.sentences) {
    length += sentence.text.length + 1
    if (length > maxSummaryInputLength) break
    sentences.push(sentence.text)
  }
  const areSentencesCut = text.isCut || sentences.length < text.sentences.length
  const safeSentences = sentences.filter((sentence) => !isPromptInjection(sentence))
  const injectionCount = sentences.length - safeSentences.length
  return { summary, isCut: text.isCut, sentences: safeSentences, injectionCount, areSentencesCut }
}
