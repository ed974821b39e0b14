import { z } from 'zod'
import { text } from '../../platform/bounded.ts'
import { answerSpan } from '../passages/answer-span.ts'
import { joinPassages, type Passage } from '../passages/choose-passages.ts'
import { defineFormat, type RenderContext } from './format.ts'
import { writeAnswer } from './passages/ask-model.ts'
import { ungroundedWarning } from './passages/grounded.ts'
import {
  bestPassages,
  noModel,
  quotedWarning,
  type RankedSentences,
  rankForQuery,
  sentencesForModel,
  warnAboutInjection,
} from './passages/quote-passages.ts'

const bounds = { minShare: 0.75, enoughWords: 60, maxWords: 120, maxSentences: 3 }
/** The best sentence is surely the right one if it is ahead of the next by this factor. */
const clearLead = 1.1

export const question = defineFormat({
  name: 'question',
  description: 'The answer to a question, from the page alone.',
  readsFrom: 'page',
  isOfMarkdown: true,
  usesModel: true,
  surcharge: 4,
  options: { question: text('MAX_QUESTION_LENGTH').min(1).describe('The question.') },
  example: { question: 'What is the title?' },
  output: {
    answer: z
      .string()
      .describe(
        'A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes.',
      ),
  },
  reads: ({ question }) => ({ passages: [{ query: question }] }),
  async render(content, { question }, kit) {
    const sentences = await rankForQuery(content, { query: question, field: 'answer' }, kit)
    if ('unavailable' in sentences) return sentences
    const written = kit.model ? await writtenByModel(kit.model, sentences, kit) : { problem: noModel }
    if ('answer' in written) return written
    kit.warn(`${quotedWarning('answer', sentences, written.problem)} They may not answer the question.`)
    return { answer: quotedAnswer(question, sentences) }
  },
})

/** The passages that answer, quoted; before them the date, number or price that was asked for, where it is certain. */
function quotedAnswer(question: string, sentences: RankedSentences): string {
  const passages = bestPassages(sentences, bounds)
  const [best, next] = sentences.ranked
  const leads = best !== undefined && best.score >= clearLead * (next?.score ?? 0)
  const span = leads ? answerSpan(question, best.text) : undefined
  return [...(span === undefined ? [] : [span]), ...passages.map(quoted)].join('\n\n')
}

const quoted = (passage: Passage) => passage.text.replace(/^/gm, '> ')

async function writtenByModel(
  model: NonNullable<RenderContext['model']>,
  sentences: RankedSentences,
  kit: RenderContext,
): Promise<{ answer: string } | { problem: string }> {
  const { query } = sentences.found
  const { shown, orders } = sentencesForModel(sentences)
  const texts = shown.map((candidate) => candidate.text)
  const written = await writeAnswer(model, { query, texts }, kit.signal)
  if ('problem' in written) return written
  const cited = written.value.sentences.flatMap((at) => shown[at] ?? [])
  const sources = [query, ...cited.map((candidate) => candidate.text)]
  const invented = ungroundedWarning(written.value.answer, sources)
  if (invented.length > 0)
    return {
      problem:
        'the answer of the language model has names or numbers that the sentences it cites do not have',
    }
  warnAboutInjection('answer', orders, kit)
  const passages = joinPassages(cited.slice(0, bounds.maxSentences))
  return { answer: [written.value.answer, ...passages.map(quoted)].join('\n\n') }
}
