import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { joinPassages, type Passage } from '../passages/choose-passages.ts'
import { defineFormat } from './format.ts'
import { chooseSentences } from './passages/ask-model.ts'
import {
  askAboutSentences,
  bestPassages,
  quotedWarning,
  rankForQuery,
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
    const chosen = await askAboutSentences(sentences, context, chooseSentences)
    if ('problem' in chosen) {
      context.warn(quotedWarning('highlights', sentences, chosen.problem))
      return { highlights: joinTexts(bestPassages(sentences, bounds)) }
    }
    warnAboutInjection('highlights', chosen.injectionCount, context)
    const found = chosen.value.flatMap((index) => chosen.candidates[index] ?? [])
    return { highlights: joinTexts(joinPassages(found.slice(0, bounds.maxSentences))) }
  },
})

const joinTexts = (passages: readonly Passage[]) => passages.map((passage) => passage.text).join('\n\n')
