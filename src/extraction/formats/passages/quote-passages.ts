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
import type { ReadingModel, RenderContext, Unavailable } from '../format.ts'
import type { ModelResult, SentencesRequest } from './ask-model.ts'

export interface RankedSentences {
  passages: PassageResults
  ranked: Candidate[]
  rankedBy: 'words' | 'meaning'
}

/** A query and a sentence with this similarity match without a shared word. */
const minSimilarity = 0.45

/** Ranks by shared words, and by meaning if the sentence model supports the language. */
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

export async function askAboutSentences<Value>(
  { passages: { query, candidates } }: RankedSentences,
  { model, signal }: RenderContext,
  ask: (model: ReadingModel, request: SentencesRequest, signal: AbortSignal) => Promise<ModelResult<Value>>,
): Promise<{ value: Value; candidates: Candidate[]; injectionCount: number } | { problem: string }> {
  if (!model) return { problem: noModel }
  const safeCandidates = candidates.filter(({ text }) => !isPromptInjection(text))
  const texts = safeCandidates.map(({ text }) => text)
  const result = await ask(model, { query, texts }, signal)
  if ('problem' in result) return result
  const injectionCount = candidates.length - safeCandidates.length
  return { value: result.value, candidates: safeCandidates, injectionCount }
}

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

/** Minimum score of a passage, as a share of the best one. Scores by words alone vary more. */
const minShare = { words: 0.45, meaning: 0.55 }

export function bestPassages(
  { ranked, rankedBy }: RankedSentences,
  bounds: Omit<PassageLimits, 'minShare'> & { minShare?: number },
): Passage[] {
  return choosePassages(ranked, { minShare: minShare[rankedBy], ...bounds })
}

export function quotedWarning(field: string, sentences: RankedSentences, reason: string): string {
  const { passages, rankedBy } = sentences
  const method = rankedBy === 'words' ? 'words in common' : 'words in common and similar meaning'
  const cutNotice = passages.isCut ? ' The page is too long to be read to its end.' : ''
  return `${field}: extractive. The sentences are quoted from the page and chosen by ${method}; ${reason}.${cutNotice}`
}

export const noModel = 'no language model is configured'
