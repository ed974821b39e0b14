import type { Content } from '../../content/content.ts'
import { isPromptInjection } from '../grounding/prompt-injection.ts'
import { findPassages, type PassageQuery, type PassageResults } from '../passages/find-passages.ts'
import { type PageSentences, pageSentences } from '../passages/markdown-blocks.ts'
import { summarise } from '../passages/summarise.ts'
import { guessLanguage } from '../text/guess-language.ts'
import { type Language, loadLanguage } from '../text/languages.ts'

/** The sentences of a page and what their words are reduced by. */
export interface PageText extends PageSentences {
  language: Language & { code: string | undefined }
}

/** What stands for a page in a few sentences. */
export interface PageSummary {
  /** Sentences of the page; empty for a page without text. */
  summary: string
  /** Whether the page has more text than the summary was made from. */
  isCut: boolean
  /** The sentences of the page in order, as many as a language model reads; none that gives orders to one. */
  sentences: string[]
  /** How many such sentences there are. */
  orders: number
  /** Whether the page has more sentences than these. */
  areSentencesCut: boolean
}

/** A language model reads at most this many characters of a page. */
const maxGistLength = 120_000

/** The sentences of the part of a page that the caller asked for. */
export async function readPageText(content: Content): Promise<PageText> {
  const markdown = content.markdown()
  const code = guessLanguage(content.metadata().language, markdown)
  const language = { ...(await loadLanguage(code)), code }
  return { ...pageSentences(markdown, language), language }
}

export function passagesFor(text: PageText, wishes: readonly PassageQuery[]): PassageResults[] {
  return wishes.map(({ query }) => findPassages(text, query, text.language))
}

export function summarizePage(text: PageText, content: Content): PageSummary {
  const { title = '', description = '' } = content.metadata()
  const summary = summarise(text, { title, description }, text.language)
  const sentences: string[] = []
  let length = 0
  for (const sentence of text.sentences) {
    length += sentence.text.length + 1
    if (length > maxGistLength) break
    sentences.push(sentence.text)
  }
  const areSentencesCut = text.isCut || sentences.length < text.sentences.length
  const stated = sentences.filter((sentence) => !isPromptInjection(sentence))
  const orders = sentences.length - stated.length
  return { summary, isCut: text.isCut, sentences: stated, orders, areSentencesCut }
}
