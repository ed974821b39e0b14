import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { joinPassages, type Passage } from '../passages/choose-passages.ts'
import { defineFormat, type RenderContext } from './format.ts'
import { chooseSentences } from './passages/ask-model.ts'
import {
  bestPassages,
  noModel,
  quotedWarning,
  type RankedSentences,
  rankForQuery,
  sentencesForModel,
  warnAboutInjection,
} from './passages/quote-passages.ts'

const bounds = { enoughWords: 130, maxWords: 180, maxSentences: 8 }

export const highlights = defineFormat({
  name: 'highlights',
  description: 'Passages of the page that answer a query, verbatim.',
  readsFrom: 'page',
  isDerivedFromMarkdown: true,
  usesModel: true,
  surcharge: 4,
  options: { query: boundedText('MAX_QUESTION_LENGTH').min(1).describe('Query for the passages.') },
  example: { query: 'What is the title?' },
  output: {
    highlights: z
      .string()
      .describe(
        'Sentences of the page, unchanged, the best passage first, with blank lines between passages.',
      ),
  },
  reads: ({ query }) => ({ passages: [{ query }] }),
  async render(content, { query }, context) {
    const sentences = await rankForQuery(content, { query, field: 'highlights' }, context)
    if ('unavailable' in sentences) return sentences
    const chosen = context.model
      ? await chooseWithModel(context.model, sentences, context)
      : { problem: noModel }
    if ('passages' in chosen) return { highlights: joinTexts(chosen.passages) }
    const passages = bestPassages(sentences, bounds)
    context.warn(quotedWarning('highlights', sentences, chosen.problem))
    return { highlights: joinTexts(passages) }
  },
})

const joinTexts = (passages: readonly Passage[]) => passages.map((passage) => passage.text).join('\n\n')

async function chooseWithModel(
  model: NonNullable<RenderContext['model']>,
  sentences: RankedSentences,
  context: RenderContext,
): Promise<{ passages: Passage[] } | { problem: string }> {
  const { query } = sentences.passages
  const { candidates: safeCandidates, injectionCount } = sentencesForModel(sentences)
  const texts = safeCandidates.map((candidate) => candidate.text)
  const result = await chooseSentences(model, { query, texts }, context.signal)
  if ('problem' in result) return result
  const chosen = result.value.flatMap((index) => safeCandidates[index] ?? []).slice(0, bounds.maxSentences)
  warnAboutInjection('highlights', injectionCount, context)
  return { passages: joinPassages(chosen) }
}
