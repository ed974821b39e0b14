import { isPromptInjection } from '../../grounding/prompt-injection.ts'
import type { PageParts } from '../../page-parts/parts.ts'
import {
  byScore,
  candidatesToRescore,
  choosePassages,
  type Passage,
  type PassageLimits,
  rescored,
} from '../../passages/choose-passages.ts'
import type { Candidate, PassageResults } from '../../passages/find-passages.ts'
import type { RenderContext, Unavailable } from '../format.ts'

/** Ranked sentences of a page for a query, best first. */
export interface RankedSentences {
  passages: PassageResults
  ranked: Candidate[]
  /** Ranking method: shared words only, or shared words and semantic similarity. */
  rankedBy: 'words' | 'meaning'
}

/** Minimum similarity at which a query and a sentence match without a shared word. */
const minSimilarity = 0.45

/**
 * Ranks the sentences of a page for a query: by shared words, and by meaning if the sentence model supports the
 * language.
 */
export async function rankForQuery(
  content: PageParts,
  { query, field }: { query: string; field: string },
  context: RenderContext,
): Promise<RankedSentences | Unavailable> {
  const passages = content.passages().find((passages) => passages.query === query)
  if (!passages || passages.candidates.length === 0) return { unavailable: `${field}: the page has no text.` }
  const best = candidatesToRescore(passages.candidates)
  const texts = best.map(({ text }) => text)
  const similarities =
    passages.language === 'en' ? await context.sentences?.(query, texts, context.signal) : undefined
  if (!passages.isMatched && !similarities?.some((value) => value >= minSimilarity))
    return { unavailable: `${field}: no passage of the page matches the query.` }
  if (!similarities) return { passages, ranked: byScore(best), rankedBy: 'words' }
  return { passages, ranked: byScore(rescored(best, similarities)), rankedBy: 'meaning' }
}

/** Returns the sentences for a language model, without prompt injections, and the number of removed sentences. */
export function sentencesForModel({ passages: { candidates } }: RankedSentences): {
  candidates: Candidate[]
  injectionCount: number
} {
  const safeCandidates = candidates.filter(({ text }) => !isPromptInjection(text))
  return { candidates: safeCandidates, injectionCount: candidates.length - safeCandidates.length }
}

/** Adds a warning if text was withheld from the language model. */
export function warnAboutInjection(
  field: string,
  injectionCount: number,
  { warn }: Pick<RenderContext, 'warn'>,
): void {
  if (injectionCount === 0) return
  warn(
    `${field}: lines of the page that give orders to a language model were not shown to it: ${injectionCount}.`,
  )
}

/** Minimum share of the best score by ranking method. Scores by words alone vary more. */
const minShare = { words: 0.45, meaning: 0.55 }

/** Returns the best passages within a number of words. */
export function bestPassages(
  { ranked, rankedBy }: RankedSentences,
  bounds: Omit<PassageLimits, 'minShare'> & { minShare?: number },
): Passage[] {
  return choosePassages(ranked, { minShare: minShare[rankedBy], ...bounds })
}

/** Returns the warning that the text is quoted, with the reason. */
export function quotedWarning(
  field: string,
  { passages, rankedBy }: RankedSentences,
  reason: string,
): string {
  const method = rankedBy === 'words' ? 'words in common' : 'words in common and similar meaning'
  const cutNotice = passages.isCut ? ' The page is too long to be read to its end.' : ''
  return `${field}: extractive. The sentences are quoted from the page and chosen by ${method}; ${reason}.${cutNotice}`
}

export const noModel = 'no language model is configured'
