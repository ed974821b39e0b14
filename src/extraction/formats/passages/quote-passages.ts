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

/** The sentences of a page that answer a query, the best first, and how they were ranked. */
export interface RankedSentences {
  found: PassageResults
  ranked: Candidate[]
  /** By words and by meaning, or by words alone. */
  by: 'words' | 'meaning'
}

/** A query and a sentence that are at least so alike belong together without a word in common. */
const alike = 0.45

/** Ranks the sentences of a page for a query: by words, and by meaning where a sentence model knows the language. */
export async function rankForQuery(
  content: PageParts,
  { query, field }: { query: string; field: string },
  kit: RenderContext,
): Promise<RankedSentences | Unavailable> {
  const found = content.passages().find((passages) => passages.query === query)
  if (!found || found.candidates.length === 0) return { unavailable: `${field}: the page has no text.` }
  const best = candidatesToRescore(found.candidates)
  const texts = best.map(({ text }) => text)
  const similarities = found.language === 'en' ? await kit.sentences?.(query, texts, kit.signal) : undefined
  if (!found.isMatched && !similarities?.some((value) => value >= alike))
    return { unavailable: `${field}: no passage of the page matches the query.` }
  if (!similarities) return { found, ranked: byScore(best), by: 'words' }
  return { found, ranked: byScore(rescored(best, similarities)), by: 'meaning' }
}

/** The sentences that a language model is shown, and how many are kept from it. */
export function sentencesForModel({ found: { candidates } }: RankedSentences): {
  shown: Candidate[]
  orders: number
} {
  const shown = candidates.filter(({ text }) => !isPromptInjection(text))
  return { shown, orders: candidates.length - shown.length }
}

/** What the caller should know of text that was kept from a language model. */
export function warnAboutInjection(
  field: string,
  orders: number,
  { warn }: Pick<RenderContext, 'warn'>,
): void {
  if (orders === 0) return
  warn(`${field}: lines of the page that give orders to a language model were not shown to it: ${orders}.`)
}

/** Below these shares of the best score hardly any sentence answers. Scores by words alone lie further apart. */
const minShare = { words: 0.45, meaning: 0.55 }

/** The best passages within some words. */
export function bestPassages(
  { ranked, by }: RankedSentences,
  bounds: Omit<Choosing, 'minShare'> & { minShare?: number },
): Passage[] {
  return choosePassages(ranked, { minShare: minShare[by], ...bounds })
}

/** What the caller should know about text that was quoted. */
export function quotedWarning(field: string, { found, by }: RankedSentences, why: string): string {
  const how = by === 'words' ? 'words in common' : 'words in common and similar meaning'
  const cut = found.isCut ? ' The page is too long to be read to its end.' : ''
  return `${field}: extractive. The sentences are quoted from the page and chosen by ${how}; ${why}.${cut}`
}

export const noModel = 'no language model is configured'
