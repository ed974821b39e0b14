import { AppError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { PermitOwner } from '../../base/permits.ts'
import { yieldOften } from '../../base/yield-often.ts'
import { choosePassages } from '../../reading/passages/choose-passages.ts'
import { findPassages } from '../../reading/passages/find-passages.ts'
import { type PageSentences, pageSentences } from '../../reading/passages/sentences.ts'
import { loadLanguage } from '../../reading/text/languages.ts'
import type { SentenceLanguage } from '../../reading/text/split-sentences.ts'
import { fuse } from '../ranking/fuse.ts'
import type { SentenceComparison } from '../sentence-model/compare-sentences.ts'
import { buildDocsIndex, type DocsIndex, type FoundUnit } from './docs-index.ts'
import { readDocs } from './read-docs.ts'
import { readQuestion } from './read-question.ts'
import type { DocSection } from './section.ts'

/** A section of the documentation that answers a question. */
export interface FoundDoc extends Omit<DocSection, 'weight' | 'kind' | 'key'> {
  /** The sentences of it that answer best, the best first. */
  passages: string[]
  /** Beside those of other sections of the same answer. */
  score: number
  /** The words of the question that it has. */
  words: string[]
}

/** For whom the sentence model works; without it, words alone decide. */
export interface DocsCaller {
  who: PermitOwner
  signal: AbortSignal
}

/** The sections that answer a question, the best first; none where the documentation says nothing about it. */
export type SearchDocs = (question: string, limit: number, caller?: DocsCaller) => Promise<FoundDoc[]>

export interface DocsNeeds {
  /** The folder that has `README.md` and `docs`. */
  root: string
  sentences: SentenceComparison | undefined
}

/** Sections that the sentence model can move; those behind them have few words of the question. */
const mostMoved = 24
/** A section with less of the question answers another one. */
const leastCoverage = 0.34
/** A question and a section that are at least so alike belong together without many words in common. */
const alike = 0.5
/** How much a similarity of 1 counts beside the best score by words: names in code mean little to the model. */
const meaningWeight = 1
const compared = 400
/** Answers to questions without a key, which are the same for every caller. */
const maxRememberedAnswers = 200
const choosing = { leastShare: 0.6, enoughWords: 40, mostWords: 90, mostSentences: 3 }

/** The documentation is read and indexed with the first question. */
export function docsSearch({ root, sentences }: DocsNeeds): SearchDocs {
  const index = once(() => openIndex(root))
  const answers = new Map<string, FoundDoc[]>()
  const search: SearchDocs = async (question, limit, caller) => {
    const { find, has, language } = await index()
    const found = find(readQuestion(question, { language, has }), mostMoved)
    const similarities = await similaritiesOf(found, question, caller && { ...caller, sentences })
    const kept = found
      .map((unit, at) => ({ ...unit, similarity: similarities?.[at] }))
      .filter(({ coverage, similarity = 0 }) => coverage >= leastCoverage || similarity >= alike)
    const ordered = fuse(kept, meaningWeight).slice(0, limit)
    return foundDocs(ordered, question, language)
  }
  return async (question, limit, caller) => {
    if (caller) return search(question, limit, caller)
    const key = `${limit} ${question}`
    const known = answers.get(key)
    if (known) return known
    const found = await search(question, limit)
    if (answers.size >= maxRememberedAnswers) answers.clear()
    answers.set(key, found)
    return found
  }
}

async function openIndex(root: string): Promise<DocsIndex> {
  const [sections, language] = await Promise.all([readDocs(root).catch(docsMissing), loadLanguage('en')])
  return buildDocsIndex(sections, language)
}

const hint =
  'Install README.md, SECURITY.md and the folder docs beside src. The reference is at /docs/reference.'

/** Where the files of the documentation are not installed. */
export function docsMissing(cause: unknown): never {
  const message = `Not available on this installation: its documentation cannot be read. ${hint}`
  throw new AppError('FEATURE_NOT_AVAILABLE', { feature: 'documentation', hint }, { message, cause })
}

async function similaritiesOf(
  found: readonly FoundUnit[],
  question: string,
  caller: (DocsCaller & Pick<DocsNeeds, 'sentences'>) | undefined,
): Promise<number[] | undefined> {
  if (!caller?.sentences || found.length === 0) return undefined
  const texts = found.map(({ section, text }) =>
    [...section.headings.slice(-1), section.title, text].join('. ').slice(0, compared),
  )
  return caller.sentences(caller.who)(question, texts, caller.signal)
}

/** One after the other: a long section takes a millisecond or more. */
async function foundDocs(
  ordered: readonly FoundUnit[],
  question: string,
  language: DocsIndex['language'],
): Promise<FoundDoc[]> {
  const pauses = yieldOften()
  const docs: FoundDoc[] = []
  for (const unit of ordered) {
    docs.push(foundDoc(unit, question, language))
    if (pauses.isDue()) await pauses.take()
  }
  return docs
}

function foundDoc(
  { section, score, words }: FoundUnit,
  question: string,
  language: DocsIndex['language'],
): FoundDoc {
  const { pathOrUrl, title, headings, text } = section
  const english = { ...language, code: 'en' }
  const found = findPassages(sentencesOf(section, english), question, english)
  const passages = choosePassages(found.candidates, choosing).map(({ text }) => text)
  return { pathOrUrl, title, headings, text, passages, score, words }
}

/** The documentation does not change while the service runs. */
const knownSentences = new WeakMap<DocSection, PageSentences>()

function sentencesOf(section: DocSection, language: SentenceLanguage): PageSentences {
  const known = knownSentences.get(section) ?? pageSentences(section.text, language)
  knownSentences.set(section, known)
  return known
}
