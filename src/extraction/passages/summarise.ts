import type { Language } from '../text/languages.ts'
import { fold, splitWords } from '../text/words.ts'
import { wordCount } from './choose-passages.ts'
import type { PageSentences, Sentence } from './markdown-blocks.ts'

/** What a page says of itself. */
export interface PageNames {
  title: string
  description: string
}

/** A page has from three to five sentences that carry it, by its length. */
const fewest = 3
const most = 5
const sentencesForOne = 12
/** Later sentences are looked at only on their way into the bound. */
const maxWeighed = 3000

/** The sentences that carry a page, in page order; of a page without sentences its title and its first entries. */
export function summarise({ sentences }: PageSentences, names: PageNames, language: Language): string {
  const read = sentences.slice(0, maxWeighed)
  const proper = read.filter(isProper)
  const wanted = Math.min(most, Math.max(fewest, Math.ceil(proper.length / sentencesForOne)))
  if (proper.length >= fewest) return inOrder(carrying(proper, { wanted, title: names.title }, language))
  return inLines([names.description, ...proper.map(({ text }) => text)], read, names)
}

/** A sentence that means something alone: neither a label nor half a page. */
function isProper({ kind, text }: Sentence): boolean {
  if (kind === 'heading' || kind === 'row') return false
  const words = wordCount(text)
  return words >= 5 && words <= 70 && /[.!…。！।۔።។]["'”’»)\]」』）]*$/u.test(text)
}

interface Weighed {
  sentence: Sentence
  words: ReadonlySet<string>
  weight: number
}

function carrying(
  sentences: readonly Sentence[],
  { wanted, title }: { wanted: number; title: string },
  language: Language,
): Sentence[] {
  const words = sentences.map(({ text }) => tellingWords(text, language))
  const named = tellingWords(title, language)
  const central = sentenceCentrality(words)
  const weighed = sentences.map((sentence, at): Weighed => {
    const own = words[at] ?? new Set()
    const centrality = central[at] ?? 0
    // A first sentence that shares little with the others is a notice.
    const place = placeWeight(at) * (0.3 + 0.7 * Math.min(1, 2 * centrality))
    const weight = centrality + place + 0.3 * shareIn(named, own) + kindWeight(sentence)
    return { sentence, words: own, weight }
  })
  return chooseDiverse(weighed, wanted).map(({ sentence }) => sentence)
}

/** What a page begins with is usually what it is about. */
const placeWeight = (at: number) => 0.6 / (1 + at / 2)

/** Items of lists are details; exclamations and long sentences suit a summary less. */
function kindWeight({ kind, text }: Sentence): number {
  const tooLong = Math.max(0, wordCount(text) - 35)
  return (kind === 'item' ? -0.3 : 0) + (/[!?]["'”’»)]*$/.test(text) ? -0.2 : 0) - 0.01 * tooLong
}

/** The best that says something else than those before it, again and again. */
function chooseDiverse(weighed: readonly Weighed[], wanted: number): Weighed[] {
  const chosen: Weighed[] = []
  const left = new Set(weighed)
  while (chosen.length < wanted && left.size > 0) {
    let best: Weighed | undefined
    let bestValue = Number.NEGATIVE_INFINITY
    for (const one of left) {
      const repeated = chosen.reduce((worst, other) => Math.max(worst, alike(one.words, other.words)), 0)
      const value = one.weight - repeated
      if (value > bestValue) [best, bestValue] = [one, value]
    }
    if (!best) break
    left.delete(best)
    chosen.push(best)
  }
  const order = new Map(weighed.map((one, at) => [one, at]))
  return chosen.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
}

/** How much of the shorter set the longer one has. */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one]
  return shareIn(short, long)
}

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 0
  let shared = 0
  for (const word of words) if (others.has(word)) shared += 1
  return shared / words.size
}

function tellingWords(text: string, { stem, stopWords }: Language): ReadonlySet<string> {
  return new Set(
    splitWords(text)
      .filter((word) => !stopWords.has(word))
      .map((word) => fold(stem(word))),
  )
}

const unspacedEnd = /[。！？」』]$/

function inOrder(sentences: readonly Sentence[]): string {
  return sentences.reduce((text, sentence) => {
    const divider = text === '' || unspacedEnd.test(text) ? '' : ' '
    return `${text}${divider}${sentence.text}`
  }, '')
}

/** A list, a table or a shop: what it is called, what it says of itself, and its first entries. */
function inLines(said: readonly string[], sentences: readonly Sentence[], { title }: PageNames): string {
  const [first] = sentences
  const name = first?.kind === 'heading' ? first.text : title
  const entries = sentences.filter(({ kind, text }) => kind !== 'paragraph' && text !== name)
  const shown = (entries.length > 0 ? entries : sentences).map(({ text }) => text)
  const lines = new Set([name, ...said, ...shown].map((line) => line.trim()).filter((line) => line !== ''))
  return [...lines].slice(0, most + 1).join('\n')
}

const rounds = 8

/**
 * How central each sentence is among all of them, from 0 to 1: those that share words with other central sentences. Sentences
 * give their weight to their words and words to their sentences, so that the work grows with the words, not with the pairs.
 */
function sentenceCentrality(sentences: readonly ReadonlySet<string>[]): Float64Array {
  const uses = new Map<string, number>()
  for (const words of sentences) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  // A word of one sentence connects nothing.
  const shared = sentences.map((words) => [...words].filter((word) => (uses.get(word) ?? 0) > 1))
  let weights = new Float64Array(sentences.length).fill(1)
  for (let round = 0; round < rounds; round += 1) {
    const ofWords = new Map<string, number>()
    for (const [at, words] of shared.entries()) {
      const part = (weights[at] ?? 0) / Math.sqrt(words.length || 1)
      for (const word of words) ofWords.set(word, (ofWords.get(word) ?? 0) + part)
    }
    weights = Float64Array.from(shared, (words) => {
      // Words that all sentences share would make them all alike.
      const sum = words.reduce(
        (total, word) => total + (ofWords.get(word) ?? 0) / Math.sqrt(uses.get(word) ?? 1),
        0,
      )
      return sum / Math.sqrt(words.length || 1)
    })
    const largest = weights.reduce((value, weight) => Math.max(value, weight), 0)
    if (largest > 0) weights = weights.map((weight) => weight / largest)
  }
  return weights
}
