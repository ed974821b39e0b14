import { z } from 'zod'
import { boundedText } from '../../platform/bounded.ts'
import { defineFormat } from './format.ts'

export const query = defineFormat({
  name: 'query',
  description: 'Older name of question (mode freeform) and highlights (mode directQuote).',
  readsFrom: 'page',
  options: {
    prompt: boundedText('MAX_QUESTION_LENGTH').min(1).describe('The question, or the query for passages.'),
    mode: z
      .enum(['freeform', 'directQuote'])
      .default('freeform')
      .describe('freeform: as question, in `answer`. directQuote: as highlights, in `highlights`.'),
  },
  example: { prompt: 'What is the title?' },
  aliasTarget: ({ prompt, mode }) =>
    mode === 'directQuote' ? { type: 'highlights', query: prompt } : { type: 'question', question: prompt },
  output: {},
  render: () => ({ unavailable: 'query: stands for question or highlights.' }),
})
