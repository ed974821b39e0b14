import type { Language } from '../text/languages.ts'
import { fold, splitWords } from '../text/words.ts'
import { wordCount } from './choose-passages.ts'
import type { PageSentences, Sentence } from './markdown-blocks.ts'

type TitleAndDescription = Record<'title' | 'description', string>

const minSentences = 3
const maxSentences = 5
const sentencesPerSummarySentence = 12
const maxWeightedSentences = 3000

/** Returns the central sentences in page order; for a page with few sentences, its title and first entries. */
export function summarise(
  { sentences }: PageSentences,
  metadata: TitleAndDescription,
  language: Language,
): string {
  const considered = sentences.slice(0, maxWeightedSentences)
  const proper = considered.filter(isProper)
  const count = Math.ceil(proper.length / sentencesPerSummarySentence)
  const wanted = Math.min(maxSentences, Math.max(minSentences, count))
  if (proper.length >= minSentences)
    return joinSentences(chooseCentral(proper, { wanted, title: metadata.title }, language))
  return joinEntries([metadata.description, ...proper.map(({ text }) => text)], considered, metadata)
}

/** A sentence of usual length with punctuation at its end is understandable without context. */
function isProper({ kind, text }: Sentence): boolean {
  if (kind === 'heading' || kind === 'row') return false
  const words = wordCount(text)
  return words >= 5 && words <= 70 && /[.!…。！।۔።។]["'”’»)\]」』）]*$/u.test(text)
}

interface WeightedSentence {
  sentence: Sentence
  stems: ReadonlySet<string>
  weight: number
}

function chooseCentral(
  sentences: readonly Sentence[],
  { wanted, title }: { wanted: number; title: string },
  language: Language,
): Sentence[] {
  const stemSets = sentences.map(({ text }) => getSignificantStems(text, language))
  const titleStems = getSignificantStems(title, language)
  const centralities = sentenceCentrality(stemSets)
  const weighted = sentences.map((sentence, at): WeightedSentence => {
    const stems = stemSets[at] ?? new Set()
    const centrality = centralities[at] ?? 0
    // A first sentence that shares few words with the others is probably a notice.
    const positionWeight = (0.6 / (1 + at / 2)) * (0.3 + 0.7 * Math.min(1, 2 * centrality))
    const weight = centrality + positionWeight + 0.3 * getShare(titleStems, stems) + getPenalty(sentence)
    return { sentence, stems, weight }
  })
  return chooseDiverse(weighted, wanted).map(({ sentence }) => sentence)
}

function getPenalty({ kind, text }: Sentence): number {
  const tooLong = Math.max(0, wordCount(text) - 35)
  return (kind === 'item' ? -0.3 : 0) + (/[!?]["'”’»)]*$/.test(text) ? -0.2 : 0) - 0.01 * tooLong
}

/** The overlap with chosen sentences reduces the value of a candidate. */
function chooseDiverse(weighted: readonly WeightedSentence[], count: number): WeightedSentence[] {
  const chosen: WeightedSentence[] = []
  const remaining = new Set(weighted)
  while (chosen.length < count && remaining.size > 0) {
    let best: WeightedSentence | undefined
    let bestValue = Number.NEGATIVE_INFINITY
    for (const candidate of remaining) {
      const overlaps = chosen.map((other) => getOverlap(candidate.stems, other.stems))
      const value = candidate.weight - Math.max(0, ...overlaps)
      if (value > bestValue) [best, bestValue] = [candidate, value]
    }
    if (!best) break
    remaining.delete(best)
    chosen.push(best)
  }
  return weighted.filter((sentence) => chosen.includes(sentence))
}

function getOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.size <= other.size ? getShare(one, other) : getShare(other, one)
}

function getShare(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0
  for (const word of words) if (others.has(word)) shared += 1
  return shared / (words.size || 1)
}

function getSignificantStems(text: string, { stem, stopWords }: Language): ReadonlySet<string> {
  const words = splitWords(text).filter((word) => !stopWords.has(word))
  return new Set(words.map((word) => fold(stem(word))))
}

const unspacedEnd = /[。！？」』]$/

function joinSentences(sentences: readonly Sentence[]): string {
  return sentences.reduce((text, sentence) => {
    const divider = text === '' || unspacedEnd.test(text) ? '' : ' '
    return `${text}${divider}${sentence.text}`
  }, '')
}

function joinEntries(
  statements: readonly string[],
  sentences: readonly Sentence[],
  { title }: TitleAndDescription,
): string {
  const [first] = sentences
  const name = first?.kind === 'heading' ? first.text : title
  const entries = sentences.filter(({ kind, text }) => kind !== 'paragraph' && text !== name)
  const entryTexts = (entries.length > 0 ? entries : sentences).map(({ text }) => text)
  const lines = new Set([name, ...statements, ...entryTexts].map((line) => line.trim()))
  lines.delete('')
  return [...lines].slice(0, maxSentences + 1).join('\n')
}

const rounds = 8

/**
 * A sentence is central, from 0 to 1, if it shares words with other central sentences. Each round distributes the weight
 * of the sentences to their words and back, so the work is linear in the number of words.
 */
function sentenceCentrality(sentences: readonly ReadonlySet<string>[]): Float64Array {
  const uses = new Map<string, number>()
  for (const words of sentences) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  // Words that occur in only one sentence connect no sentences.
  const shared = sentences.map((words) => [...words].filter((word) => (uses.get(word) ?? 0) > 1))
  let weights = new Float64Array(sentences.length).fill(1)
  for (let round = 0; round < rounds; round += 1) {
    const wordWeights = new Map<string, number>()
    for (const [at, words] of shared.entries()) {
      const share = (weights[at] ?? 0) / Math.sqrt(words.length || 1)
      for (const word of words) wordWeights.set(word, (wordWeights.get(word) ?? 0) + share)
    }
    weights = Float64Array.from(shared, (words) => {
      // Frequent words would make all sentences similar.
      const sum = words.reduce(
        (total, word) => total + (wordWeights.get(word) ?? 0) / Math.sqrt(uses.get(word) ?? 1),
        0,
      )
      return sum / Math.sqrt(words.length || 1)
    })
    const maxWeight = weights.reduce((value, weight) => Math.max(value, weight), 0)
    if (maxWeight > 0) weights = weights.map((weight) => weight / maxWeight)
  }
  return weights
}
