import type { ReadingModel } from '../format.ts'
import { type CitedSentence, type ModelResult, writeSummary } from './ask-model.ts'
import { findUngroundedClaims } from './grounded.ts'

interface WrittenSummary {
  summary: string
  /** Sentences that were dropped, because the page does not support them. */
  dropped: string[]
}

/** Maximum number of characters per model call. */
const maxPartLength = 24_000
const maxParts = 6
/** Maximum number of characters of a dropped sentence in a warning. */
const maxSentenceLength = 200

/** Summarizes each part of a page, then summarizes the part summaries. */
export async function modelSummary(
  model: ReadingModel,
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<ModelResult<WrittenSummary>> {
  const parts = partsOf(sentences)
  const summarySentences: CitedSentence[] = []
  for (const { from, texts } of parts) {
    const result = await writeSummary(model, texts, signal)
    if ('problem' in result) return result
    summarySentences.push(
      ...result.value.map(({ text, sentences: indexes }) => ({
        text,
        sentences: indexes.map((index) => index + from),
      })),
    )
  }
  const first = checkSupport(summarySentences, sentences)
  if (parts.length === 1 || first.kept.length === 0) return toResult(first)
  const supportedTexts = first.kept.map(({ text }) => text)
  const combined = await writeSummary(model, supportedTexts, signal)
  if ('problem' in combined) return combined
  // Map each sentence of the second round to the page sentences that its first-round sources cite.
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

/** Separates sentences that the page supports from the others. */
function checkSupport(summarySentences: readonly CitedSentence[], page: readonly string[]): CheckedSentences {
  const isSupported = ({ text, sentences }: CitedSentence) =>
    sentences.length > 0 &&
    findUngroundedClaims(
      text,
      sentences.map((at) => page[at] ?? ''),
    ).length === 0
  return {
    kept: summarySentences.filter(isSupported),
    dropped: summarySentences
      .filter((sentence) => !isSupported(sentence))
      .map(({ text }) => text.slice(0, maxSentenceLength)),
  }
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
