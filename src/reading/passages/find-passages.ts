import type { Language } from '../text/languages.ts'
import { bestPlaces, rankSentences } from './rank-sentences.ts'
import type { PageSentences, Sentence } from './sentences.ts'

/** What a caller wants to find on a page. */
export interface PassageWish {
  query: string
}

/** A sentence that may answer a query. */
export interface Candidate extends Omit<Sentence, 'path'> {
  /** Its place among all sentences of the page. */
  place: number
  /** The nearest heading above it. */
  heading: string | undefined
  /** By the words of the query. */
  score: number
}

/** The sentences of a page that answer a query best by its words, in page order. */
export interface FoundPassages {
  query: string
  /** The code of the language of the page, where it is known. */
  language: string | undefined
  /** Whether a word of the query that says something stands on the page. */
  isMatched: boolean
  /** Whether the page has more text than was read. */
  isCut: boolean
  candidates: Candidate[]
}

/** A language model reads this many; the sentence model reads fewer of them. */
export const mostCandidates = 150

export function findPassages(
  { sentences, isCut }: PageSentences,
  query: string,
  language: Language & { code: string | undefined },
): FoundPassages {
  const { scores, isMatched } = rankSentences(sentences, query, language)
  // A heading says where an answer stands. It is one only on a page of nothing else.
  const hasText = sentences.some(({ kind }) => kind !== 'heading')
  for (const [place, { kind }] of sentences.entries())
    if (hasText && kind === 'heading') scores[place] = Number.NEGATIVE_INFINITY
  const places = bestPlaces(scores, mostCandidates).filter(
    (place) => scores[place] !== Number.NEGATIVE_INFINITY,
  )
  const candidates = places
    .sort((one, other) => one - other)
    .flatMap((place) => {
      const sentence = sentences[place]
      return sentence ? [candidateOf(sentence, place, scores[place] ?? 0)] : []
    })
  return { query, language: language.code, isMatched, isCut, candidates }
}

function candidateOf({ path, ...sentence }: Sentence, place: number, score: number): Candidate {
  return { ...sentence, place, heading: path.at(-1), score }
}
