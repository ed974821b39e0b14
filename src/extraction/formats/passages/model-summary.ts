import type { ReadingModel } from '../format.ts'
import { type CitedSentence, type ModelAnswer, writeSummary } from './ask-model.ts'
import { ungroundedWarning } from './grounded.ts'

interface WrittenSummary {
  summary: string
  /** Sentences of the model that were dropped, because the page does not say what they say. */
  dropped: string[]
}

/** A part of a page that a model reads at once. */
const partLength = 24_000
const maxParts = 6
/** At most this many characters of a sentence are shown to the caller. */
const maxNamed = 200

/** Summarises a page part by part, and the summaries of the parts together. */
export async function modelSummary(
  model: ReadingModel,
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<ModelAnswer<WrittenSummary>> {
  const parts = partsOf(sentences)
  const written: CitedSentence[] = []
  for (const { from, texts } of parts) {
    const answer = await writeSummary(model, texts, signal)
    if ('problem' in answer) return answer
    written.push(
      ...answer.value.map(({ text, sentences: at }) => ({ text, sentences: at.map((one) => one + from) })),
    )
  }
  const first = checked(written, sentences)
  if (parts.length === 1 || first.kept.length === 0) return finished(first)
  const kept = first.kept.map(({ text }) => text)
  const whole = await writeSummary(model, kept, signal)
  if ('problem' in whole) return whole
  // What a sentence of the second round rests on are the sentences of the page below those of the first.
  const traced = whole.value.map(({ text, sentences: at }) => ({
    text,
    sentences: [...new Set(at.flatMap((one) => first.kept[one]?.sentences ?? []))],
  }))
  const second = checked(traced, sentences)
  return finished({ kept: second.kept, dropped: [...first.dropped, ...second.dropped] })
}

interface Checked {
  kept: CitedSentence[]
  dropped: string[]
}

/** Only what rests on the page stays. */
function checked(written: readonly CitedSentence[], page: readonly string[]): Checked {
  const rests = ({ text, sentences }: CitedSentence) =>
    sentences.length > 0 &&
    ungroundedWarning(
      text,
      sentences.map((at) => page[at] ?? ''),
    ).length === 0
  return {
    kept: written.filter(rests),
    dropped: written.filter((sentence) => !rests(sentence)).map(({ text }) => text.slice(0, maxNamed)),
  }
}

function finished({ kept, dropped }: Checked): ModelAnswer<WrittenSummary> {
  if (kept.length === 0) return { problem: 'no sentence of the language model rests on the page' }
  return { value: { summary: kept.map(({ text }) => text).join(' '), dropped } }
}

function partsOf(sentences: readonly string[]): { from: number; texts: string[] }[] {
  const parts: { from: number; texts: string[]; length: number }[] = []
  for (const [at, text] of sentences.entries()) {
    const last = parts.at(-1)
    if (last && last.length + text.length <= partLength) {
      last.texts.push(text)
      last.length += text.length
    } else if (parts.length < maxParts) parts.push({ from: at, texts: [text], length: text.length })
    else break
  }
  return parts
}
