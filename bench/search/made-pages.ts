import { detectLanguage } from '../../src/extraction/text/guess-language.ts'
import { splitWords } from '../../src/extraction/text/words.ts'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'

/** Words of a language, the most frequent first, and how many of the real pages are written in it. */
interface Vocabulary {
  language: string
  words: string[]
  /** Of each word, how often it and those before it stand in the real pages. */
  sums: Float64Array
  pages: number
}

export interface MadePages {
  page(number: number): PageToIndex
  /** Two words, in turn both frequent, both rare, and one of each. */
  query(number: number): string
}

/** Of fewer words no language is made. */
const minWords = 3000
/**
 * The real pages leave this share of the words of further pages unknown, by Heaps' law. Those are two known words
 * joined, as many as hundreds of thousands of pages have.
 */
const unknownShare = 0.03
const unknownWords = 1_000_000
const sites = 2000
const linksPerPage = 60
const picturesPerPage = 8

/**
 * Pages of the words of real pages, as frequent as there (Zipf's law), so that stems and stop words are real. The
 * same numbers give the same pages in every run.
 */
export function madePages(real: readonly PageToIndex[]): MadePages {
  const vocabularies = vocabulariesOf(real)
  const all = vocabularies.reduce((sum, { pages }) => sum + pages, 0)
  const pick = (share: number): Vocabulary => {
    let left = share * all
    for (const vocabulary of vocabularies) {
      left -= vocabulary.pages
      if (left < 0) return vocabulary
    }
    return vocabularies[0] ?? empty
  }
  return {
    page(number) {
      const random = randomNumbers(number)
      const vocabulary = pick(random())
      return pageOf(number, vocabulary.language, random, (count) => wordsOf(vocabulary, random, count))
    },
    query(number) {
      const random = randomNumbers(1e9 + number)
      const { words } = pick(random())
      const frequent = () => words[between(40, 1000, random())] ?? ''
      const rare = () => words[between(3000, words.length, random())] ?? ''
      const kinds = [
        [frequent, frequent],
        [rare, rare],
        [frequent, rare],
      ] as const
      return (kinds[number % 3] ?? kinds[0]).map((make) => make()).join(' ')
    },
  }
}

const empty: Vocabulary = { language: 'en', words: [], sums: new Float64Array(), pages: 0 }

function vocabulariesOf(real: readonly PageToIndex[]): Vocabulary[] {
  const found = new Map<string, { counts: Map<string, number>; pages: number }>()
  for (const { fields } of real) {
    const language = detectLanguage(fields.language, fields.text)
    if (language === undefined) continue
    const known = found.get(language) ?? { counts: new Map<string, number>(), pages: 0 }
    known.pages += 1
    for (const word of splitWords(fields.text)) known.counts.set(word, (known.counts.get(word) ?? 0) + 1)
    found.set(language, known)
  }
  return [...found]
    .filter(([, { counts }]) => counts.size >= minWords)
    .map(([language, { counts, pages }]) => {
      const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
      let sum = 0
      const sums = Float64Array.from(sorted, ([, count]) => {
        sum += count
        return sum
      })
      return { language, pages, words: sorted.map(([word]) => word), sums }
    })
}

function pageOf(
  number: number,
  language: string,
  random: () => number,
  words: (count: number) => string[],
): PageToIndex {
  const site = `https://site${Math.floor(random() * sites)}.example`
  // Half of the pages have between 270 and 590 words, and 400 in the middle.
  const length = Math.round(400 * Math.exp(0.58 * normal(random)))
  const text = sentences(words(Math.min(Math.max(length, 20), 10_000)))
  return {
    ...{ url: `${site}/${words(2).join('-')}/${number}`, type: 'html' },
    ...{ fetchedAt: number, expiresAt: Number.MAX_SAFE_INTEGER },
    fields: {
      ...{ title: words(6).join(' '), headings: sentences(words(12)), text },
      ...{ description: words(15).join(' '), language, isNews: false },
      ...{ publishedAt: 1.6e12 + Math.floor(random() * 1e11), modifiedAt: undefined },
      pictures: Array.from({ length: picturesPerPage }, (_, place) => ({
        ...{ url: `${site}/images/${number}-${place}.jpg`, text: words(5).join(' ') },
        ...{ width: 800, height: 600 },
      })),
      links: Array.from({ length: linksPerPage }, () => `${site}/linked/${Math.floor(random() * 100)}`),
    },
  }
}

function sentences(words: string[]): string {
  const lines: string[] = []
  for (let at = 0; at < words.length; at += 14) lines.push(`${words.slice(at, at + 14).join(' ')}.`)
  return lines.map((line, place) => (place % 5 === 4 ? `${line}\n` : `${line} `)).join('')
}

function wordsOf(vocabulary: Vocabulary, random: () => number, count: number): string[] {
  return Array.from({ length: count }, () =>
    random() < unknownShare
      ? joined(vocabulary.words, between(1, unknownWords, random()))
      : known(vocabulary, random()),
  )
}

function known({ words, sums }: Vocabulary, share: number): string {
  const wanted = share * (sums.at(-1) ?? 0)
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) > wanted) high = middle
    else low = middle + 1
  }
  return words[low] ?? ''
}

/** A rank from the first to the last, the less likely the higher it is. */
const between = (first: number, last: number, share: number) =>
  Math.floor(first * (last / first) ** share) - 1

function joined(words: string[], rank: number): string {
  return `${words[rank % words.length]}${words[(rank * 7919 + 13) % words.length]}`
}

/** Small and fast (mulberry32), as the same numbers are needed in every run. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
