import { analyseQuery, type QueryWord } from '../../extraction/text/analyse.ts'
import { detectLanguage } from '../../extraction/text/guess-language.ts'
import { type Language, loadLanguage } from '../../extraction/text/languages.ts'
import { sentencesOf } from '../../extraction/text/sentences.ts'
import { fold, splitWords } from '../../extraction/text/words.ts'
import { type Query, rankingText } from '../query/query.ts'

export interface Passage {
  text: string
  marks: [start: number, end: number][]
}

export const maxPassageLength = 320
/** The topic of a page appears at its beginning. */
const maxReadChars = 200_000

/** Returns the adjacent sentences with the most query words, and the indices of all query words in the text. */
export function findBestPassage(
  text: string,
  words: readonly QueryWord[],
  language: Language,
): (Passage & { wordIndices: Set<number> }) | undefined {
  const sentences = sentencesOf(text.slice(0, maxReadChars))
  const wordOf = wordFinder(words, language)
  const hits = sentences.map((sentence) => wordsIn(sentence, wordOf))
  const rarity = words.map((_, word) => 1 / (1 + hits.filter((wordIndices) => wordIndices.has(word)).length))
  let best = { score: 0, start: 0, end: 0 }
  for (let start = 0; start < sentences.length; start += 1) {
    if (hits[start]?.size === 0) continue
    const wordIndices = new Set<number>()
    let length = 0
    for (let end = start; end < sentences.length && end < start + 4; end += 1) {
      length += (sentences[end]?.length ?? 0) + 1
      if (length > maxPassageLength && end > start) break
      for (const word of hits[end] ?? []) wordIndices.add(word)
      const score =
        [...wordIndices].reduce((sum, word) => sum + 1 + (rarity[word] ?? 0), 0) - 0.05 * (end - start)
      if (score > best.score) best = { score, start, end }
    }
  }
  if (best.score === 0) return undefined
  const passage = truncatePassage(appendFollowing(sentences, best))
  const wordIndices = new Set(hits.flatMap((words) => [...words]))
  return { text: passage, marks: marksIn(passage, wordOf), wordIndices }
}

/** An answer often follows the words of the question. */
function appendFollowing(sentences: string[], { start, end }: { start: number; end: number }): string {
  let text = sentences.slice(start, end + 1).join(' ')
  for (let next = end + 1; next < sentences.length; next += 1) {
    const longer = `${text} ${sentences[next]}`
    if (longer.length > maxPassageLength) break
    text = longer
  }
  return text
}

function truncatePassage(text: string): string {
  if (text.length <= maxPassageLength) return text
  const space = text.lastIndexOf(' ', maxPassageLength - 1)
  return `${text.slice(0, space > maxPassageLength / 2 ? space : maxPassageLength - 1)}…`
}

type WordFinder = (word: string) => number | undefined

/** Stems each word once, because a text repeats most of its words. */
export function wordFinder(words: readonly QueryWord[], language: Language): WordFinder {
  const forms = new Map(words.flatMap((all, index) => all.map((form) => [form, index] as const)).toReversed())
  const cache = new Map<string, number | undefined>()
  return (word) => {
    if (cache.has(word)) return cache.get(word)
    const index = forms.get(fold(word)) ?? forms.get(fold(language.stem(word)))
    cache.set(word, index)
    return index
  }
}

export function wordsIn(sentence: string, wordOf: WordFinder): Set<number> {
  return new Set(splitWords(sentence).flatMap((word) => wordOf(word) ?? []))
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

export function marksIn(text: string, wordOf: WordFinder): Passage['marks'] {
  const marks: Passage['marks'] = []
  for (const { 0: run, index } of text.matchAll(wordPattern))
    if (wordsIn(run, wordOf).size > 0) marks.push([index, index + run.length])
  return marks
}

export function markTexts(query: Query, texts: readonly string[]): Promise<Passage['marks'][]> {
  return Promise.all(
    texts.map(async (text) => {
      const code = detectLanguage(undefined, text)
      const words = await analyseQuery(rankingText(query), code === undefined ? [] : [code])
      return marksIn(text, wordFinder(words, await loadLanguage(code)))
    }),
  )
}
