import { z } from 'zod'
import { defineFormat, type ReadingModel } from './format.ts'
import { type CitedSentence, type ModelResult, writeSummary } from './passages/ask-model.ts'
import { findUngroundedClaims } from './passages/grounded.ts'
import { noModel, warnAboutInjection } from './passages/quote-passages.ts'

export const summary = defineFormat({
  name: 'summary',
  description: 'A few sentences about the page, in its language.',
  readsFrom: 'page',
  isDerivedFromMarkdown: true,
  usesModel: true,
  options: {},
  output: {
    summary: z
      .string()
      .describe('Three to five sentences; for a list, its title and first entries, one per line.'),
  },
  reads: () => ({ gist: true }),
  async render(content, _, { model, signal, warn }) {
    const gist = content.gist()
    if (gist.summary === '') return { unavailable: 'summary: the page has no text.' }
    const written = model ? await modelSummary(model, gist.sentences, signal) : { problem: noModel }
    if ('problem' in written) {
      warn(quoteWarning(written.problem, gist.isCut))
      return { summary: gist.summary }
    }
    for (const sentence of written.value.dropped)
      warn(`summary: left out, because the page does not say it: "${sentence}"`)
    warnAboutInjection('summary', gist.injectionCount, { warn })
    if (gist.areSentencesCut) warn(`summary: ${tooLong}`)
    return { summary: written.value.summary }
  },
})

const tooLong = 'the page is too long to be read to its end.'

function quoteWarning(reason: string, isCut: boolean): string {
  const quoted = `summary: extractive. The sentences are quoted from the page; ${reason}.`
  return isCut ? `${quoted} Also, ${tooLong}` : quoted
}

type WrittenSummary = { summary: string; dropped: string[] }

const maxPartLength = 24_000
const maxParts = 6
const maxSentenceLength = 200

async function modelSummary(
  model: ReadingModel,
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<ModelResult<WrittenSummary>> {
  const parts = partsOf(sentences)
  const summarySentences: CitedSentence[] = []
  for (const { from, texts } of parts) {
    const result = await writeSummary(model, texts, signal)
    if ('problem' in result) return result
    for (const { text, sentences: indexes } of result.value)
      summarySentences.push({ text, sentences: indexes.map((index) => index + from) })
  }
  const first = checkSupport(summarySentences, sentences)
  if (parts.length === 1 || first.kept.length === 0) return toResult(first)
  const supportedTexts = first.kept.map(({ text }) => text)
  const combined = await writeSummary(model, supportedTexts, signal)
  if ('problem' in combined) return combined
  // The second round cites sentences of the first, which cite sentences of the page.
  const traced = combined.value.map(({ text, sentences: indexes }) => ({
    text,
    sentences: [...new Set(indexes.flatMap((index) => first.kept[index]?.sentences ?? []))],
  }))
  const second = checkSupport(traced, sentences)
  return toResult({ kept: second.kept, dropped: [...first.dropped, ...second.dropped] })
}

interface CheckedSentences {
  kept: CitedSentence[]
  dropped: string[]
}

function checkSupport(summarySentences: readonly CitedSentence[], page: readonly string[]): CheckedSentences {
  const checked: CheckedSentences = { kept: [], dropped: [] }
  for (const sentence of summarySentences) {
    const sources = sentence.sentences.map((at) => page[at] ?? '')
    const isSupported = sources.length > 0 && findUngroundedClaims(sentence.text, sources).length === 0
    if (isSupported) checked.kept.push(sentence)
    else checked.dropped.push(sentence.text.slice(0, maxSentenceLength))
  }
  return checked
}

function toResult({ kept, dropped }: CheckedSentences): ModelResult<WrittenSummary> {
  if (kept.length === 0) return { problem: 'no sentence of the language model rests on the page' }
  return { value: { summary: kept.map(({ text }) => text).join(' '), dropped } }
}

function partsOf(sentences: readonly string[]): { from: number; texts: string[] }[] {
  const parts: { from: number; texts: string[]; length: number }[] = []
  for (const [at, text] of sentences.entries()) {
    const last = parts.at(-1)
    if (last && last.length + text.length <= maxPartLength) {
      last.texts.push(text)
      last.length += text.length
    } else if (parts.length < maxParts) parts.push({ from: at, texts: [text], length: text.length })
    else break
  }
  return parts
}
