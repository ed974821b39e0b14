import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { answerSpan } from '../passages/answer-span.ts'
import { joinPassages, type Passage } from '../passages/choose-passages.ts'
import { defineFormat, type RenderContext } from './format.ts'
import { writeAnswer } from './passages/ask-model.ts'
import { findUngroundedClaims } from './passages/grounded.ts'
import {
  askAboutSentences,
  bestPassages,
  quotedWarning,
  type RankedSentences,
  rankForQuery,
  warnAboutInjection,
} from './passages/quote-passages.ts'

const bounds = { minShare: 0.75, enoughWords: 60, maxWords: 120, maxSentences: 3 }
/** The best sentence is certain if its score is at least this many times the second best. */
const minLeadRatio = 1.1

export const question = defineFormat({
  name: 'question',
  description: 'Answer to a question, based only on the page.',
  readsFrom: 'page',
  isDerivedFromMarkdown: true,
  usesModel: true,
  surcharge: 4,
  options: { question: boundedText('MAX_QUESTION_LENGTH').min(1).describe('Question to answer.') },
  example: { question: 'What is the title?' },
  output: {
    answer: z
      .string()
      .describe(
        'A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes.',
      ),
  },
  reads: ({ question }) => ({ passages: [{ query: question }] }),
  async render(content, { question }, context) {
    const sentences = await rankForQuery(content, { query: question, field: 'answer' }, context)
    if ('unavailable' in sentences) return sentences
    const written = await answerWithModel(sentences, context)
    if ('answer' in written) return written
    context.warn(`${quotedWarning('answer', sentences, written.problem)} They may not answer the question.`)
    return { answer: quotedAnswer(question, sentences) }
  },
})

/** Begins with the requested date, number or price if the best sentence is certain. */
function quotedAnswer(question: string, sentences: RankedSentences): string {
  const passages = bestPassages(sentences, bounds)
  const [best, next] = sentences.ranked
  const isCertain = best !== undefined && best.score >= minLeadRatio * (next?.score ?? 0)
  const span = isCertain ? answerSpan(question, best.text) : undefined
  return [...(span === undefined ? [] : [span]), ...passages.map(asQuote)].join('\n\n')
}

const asQuote = (passage: Passage) => passage.text.replace(/^/gm, '> ')

async function answerWithModel(
  sentences: RankedSentences,
  context: RenderContext,
): Promise<{ answer: string } | { problem: string }> {
  const written = await askAboutSentences(sentences, context, writeAnswer)
  if ('problem' in written) return written
  const { answer, sentences: citedIndexes } = written.value
  const cited = citedIndexes.flatMap((index) => written.candidates[index] ?? [])
  const sources = [sentences.passages.query, ...cited.map((candidate) => candidate.text)]
  if (findUngroundedClaims(answer, sources).length > 0)
    return {
      problem:
        'the answer of the language model has names or numbers that the sentences it cites do not have',
    }
  warnAboutInjection('answer', written.injectionCount, context)
  const passages = joinPassages(cited.slice(0, bounds.maxSentences))
  return { answer: [answer, ...passages.map(asQuote)].join('\n\n') }
}
