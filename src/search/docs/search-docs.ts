import { choosePassages } from '../../extraction/passages/choose-passages.ts'
import { findPassages } from '../../extraction/passages/find-passages.ts'
import { type PageSentences, pageSentences } from '../../extraction/passages/markdown-blocks.ts'
import { type Language, loadLanguage } from '../../extraction/text/languages.ts'
import type { SentenceLanguage } from '../../extraction/text/split-sentences.ts'
import { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { createTimeSlice } from '../../platform/time-slice.ts'
import { buildDocsIndex, type SectionHit } from './docs-index.ts'
import { type DocSection, readDocs } from './read-docs.ts'

/** A documentation section that answers a question. */
export interface FoundDoc extends Pick<DocSection, 'pathOrUrl' | 'title' | 'headings' | 'text'> {
  /** Sentences of the section that answer the question best, best first. */
  passages: string[]
  /** Comparable only with other sections of the same search. */
  score: number
  /** Words of the question in the section. */
  words: string[]
}

/** Returns the sections that answer a question, best first; none if the documentation does not cover it. */
export type SearchDocs = (question: string, limit: number) => Promise<FoundDoc[]>

/** Maximum sections to check before a question counts as not covered by the documentation. */
const maxInspected = 5
/** Minimum share of the question's words; a section with less answers another question. */
const minCoverage = 0.34
const passageOptions = { minShare: 0.6, enoughWords: 40, maxWords: 90, maxSentences: 3 }

/**
 * Creates the search of the documentation in `root`, the folder with `README.md` and `docs`. The first question builds
 * the index.
 */
export function docsSearch({ root }: { root: string }): SearchDocs {
  const getIndex = lazy(() => openIndex(root))
  return async (question, limit) => {
    const { index, language } = await getIndex()
    const hits = index.find(question, Math.max(limit, maxInspected))
    const isCovered = hits.slice(0, maxInspected).some(({ coverage }) => coverage >= minCoverage)
    // Results are not cached: a fast response would reveal that another client has sent the same question.
    return isCovered ? toDocs(hits.slice(0, limit), question, language) : []
  }
}

async function openIndex(root: string) {
  const [sections, language] = await Promise.all([readDocs(root).catch(throwDocsMissing), loadLanguage('en')])
  return {
    index: await buildDocsIndex(sections, language.stopWords),
    language: { ...language, code: 'en' },
  }
}

const hint =
  'Install README.md, SECURITY.md and the folder docs beside src. The reference is at /docs/reference.'

/** Throws `FEATURE_NOT_AVAILABLE` for an installation without documentation files. */
export function throwDocsMissing(cause: unknown): never {
  const message = `Not available on this installation: its documentation cannot be read. ${hint}`
  throw new AppError('FEATURE_NOT_AVAILABLE', { feature: 'documentation', hint }, { message, cause })
}

/** Adds passages to the hits. Yields between sections, because a long one takes a millisecond or more. */
async function toDocs(
  hits: readonly SectionHit[],
  question: string,
  language: Language & SentenceLanguage,
): Promise<FoundDoc[]> {
  const timeSlice = createTimeSlice()
  const docs: FoundDoc[] = []
  for (const { section, score, words } of hits) {
    const { candidates } = findPassages(sentencesOf(section, language), question, language)
    const passages = choosePassages(candidates, passageOptions).map(({ text }) => text)
    const { pathOrUrl, title, headings, text } = section
    docs.push({ pathOrUrl, title, headings, text, passages, score, words })
    if (timeSlice.isDue()) await timeSlice.take()
  }
  return docs
}

/** Cached, because the documentation does not change while the service runs. */
const sentenceCache = new WeakMap<DocSection, PageSentences>()

function sentencesOf(section: DocSection, language: SentenceLanguage): PageSentences {
  const sentences = sentenceCache.get(section) ?? pageSentences(section.text, language)
  sentenceCache.set(section, sentences)
  return sentences
}
