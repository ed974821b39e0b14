import { isPromptInjection } from '../../grounding/prompt-injection.ts'
import type { PageParts } from '../../page-parts/parts.ts'
import {
  byScore,
  type Choosing,
  candidatesToRescore,
  choosePassages,
  type Passage,
  rescored,
} from '../../passages/choose-passages.ts'
import type { Candidate, PassageResults } from '../../passages/find-passages.ts'
import type { RenderContext, Unavailable } from '../format.ts'

/** Ranked sentences of a page for a query, best first. */
export interface RankedSentences {
  found: PassageResults
  ranked: Candidate[]
  /** Ranking method: shared words only, or shared words and semantic similarity. */
  by: 'words' | 'meaning'
}

/** Minimum similarity at which a query and a sentence match without a shared word. */
const minSimilarity = 0.45

/** Ranks the sentences of a page for a query: by shared words, and by meaning if the sentence model supports the language. */
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
  if (!similarities) return { found: passages, ranked: byScore(best), by: 'words' }
  return { found: passages, ranked: byScore(rescored(best, similarities)), by: 'meaning' }
}

/** Returns the sentences for a language model, without prompt injections, and the number of removed sentences. */
export function sentencesForModel({ found: { candidates } }: RankedSentences): {
  shown: Candidate[]
  orders: number
} {
  const safeCandidates = candidates.filter(({ text }) => !isPromptInjection(text))
  return { shown: safeCandidates, orders: candidates.length - safeCandidates.length }
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

/** Minimum share of the best score; sentences below rarely answer the query. Scores by words alone vary more. */
const minShare = { words: 0.45, meaning: 0.55 }

/** Returns the best passages within a number of words. */
export function bestPassages(
  { ranked, by }: RankedSentences,
  bounds: Omit<Choosing, 'minShare'> & { minShare?: number },
): Passage[] {
  return choosePassages(ranked, { minShare: minShare[by], ...bounds })
}

/** Returns the warning that the text is quoted, with the reason. */
export function quotedWarning(field: string, { found, by }: RankedSentences, reason: string): string {
  const method = by === 'words' ? 'words in common' : 'words in common and similar meaning'
  const cutNotice = found.isCut ? ' The page is too long to be read to its end.' : ''
  return `${field}: extractive. The sentences are quoted from the page and chosen by ${method}; ${reason}.${cutNotice}`
}

export const noModel = 'no language model is configured'
