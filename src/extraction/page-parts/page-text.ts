import type { Content } from '../../content/content.ts'
import { isPromptInjection } from '../grounding/prompt-injection.ts'
import { findPassages, type PassageQuery, type PassageResults } from '../passages/find-passages.ts'
import { type PageSentences, pageSentences } from '../passages/markdown-blocks.ts'
import { summarise } from '../passages/summarise.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { type Language, loadLanguage } from '../text/languages.ts'

/** Sentences of a page, with the language data for stemming. */
export interface PageText extends PageSentences {
  language: Language & { code: string | undefined }
}

/** Summary of a page. */
export interface PageSummary {
  /** Sentences of the page; empty for a page without text. */
  summary: string
  /** True if the page has more text than was summarized. */
  isCut: boolean
  /** Sentences in page order, limited for a language model. Sentences that look like a prompt injection are removed. */
  sentences: string[]
  /** Number of removed sentences. */
  injectionCount: number
  /** True if the page has more sentences than `sentences` may contain. */
  areSentencesCut: boolean
}

/** Maximum number of characters of a page for a language model. */
const maxSummaryInputLength = 120_000

/** Splits the Markdown of a page into sentences. */
export async function readPageText(content: Content): Promise<PageText> {
  const markdown = content.markdown()
  const code = guessLanguage(content.metadata().language, markdown)
  const language = { ...(await loadLanguage(code)), code }
  return { ...pageSentences(markdown, language), language }
}

export function passagesFor(text: PageText, queries: readonly PassageQuery[]): PassageResults[] {
  return queries.map(({ query }) => findPassages(text, query, text.language))
}

export function summarizePage(text: PageText, content: Content): PageSummary {
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
