import { z } from 'zod'
import { text } from '../../platform/bounded.ts'
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
  description: 'The passages of the page that answer a query, word for word.',
  readsFrom: 'page',
  isOfMarkdown: true,
  usesModel: true,
  surcharge: 4,
  options: { query: text('MAX_QUESTION_LENGTH').min(1).describe('What to look for.') },
  example: { query: 'What is the title?' },
  output: {
    highlights: z
      .string()
      .describe(
        'Sentences as they stand on the page, the best passage first, with blank lines between passages.',
      ),
  },
  reads: ({ query }) => ({ passages: [{ query }] }),
  async render(content, { query }, kit) {
    const sentences = await rankForQuery(content, { query, field: 'highlights' }, kit)
    if ('unavailable' in sentences) return sentences
    const chosen = kit.model ? await chosenByModel(kit.model, sentences, kit) : { problem: noModel }
    if ('passages' in chosen) return { highlights: joined(chosen.passages) }
    const passages = bestPassages(sentences, bounds)
    kit.warn(quotedWarning('highlights', sentences, chosen.problem))
    return { highlights: joined(passages) }
  },
})

const joined = (passages: readonly Passage[]) => passages.map((passage) => passage.text).join('\n\n')

async function chosenByModel(
  model: NonNullable<RenderContext['model']>,
  sentences: RankedSentences,
  kit: RenderContext,
): Promise<{ passages: Passage[] } | { problem: string }> {
  const { query } = sentences.found
  const { shown, orders } = sentencesForModel(sentences)
  const texts = shown.map((candidate) => candidate.text)
  const answer = await chooseSentences(model, { query, texts }, kit.signal)
  if ('problem' in answer) return answer
  const chosen = answer.value.flatMap((at) => shown[at] ?? []).slice(0, bounds.maxSentences)
  warnAboutInjection('highlights', orders, kit)
  return { passages: joinPassages(chosen) }
}
