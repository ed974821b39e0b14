import { detectLanguage } from '../../src/extraction/text/guess-language.ts'
import { loadLanguage } from '../../src/extraction/text/languages.ts'
import { sentencesOf } from '../../src/extraction/text/sentences.ts'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'

/** A query that one page answers. */
export interface KnownItem {
  kind: 'title' | 'question'
  query: string
  url: string
}

interface Read {
  page: PageToIndex
  title: string[]
  sentences: string[][]
}

/** Fewer say nothing: "Home", "Blog". */
const minWords = 3
const maxRequested = 6

/**
 * Two queries for each page, without chance. By title: its words that say something, every third left out, without the
 * name of the site behind a bar or dash. By question: of the sentences with at least eight such words the one whose
 * words are rarest in all pages, without the rarest of them, then every third left out, at most six words.
 */
export async function knownItems(pages: readonly PageToIndex[]): Promise<KnownItem[]> {
  const read = await Promise.all(pages.map(readWords))
  const frequencies = new Map<string, number>()
  for (const { title, sentences } of read)
    for (const word of new Set([...title, ...sentences.flat()]))
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(pages.length / (frequencies.get(word) ?? 1))
  return read.flatMap(({ page: { url }, title, sentences }) => {
    const items: KnownItem[] = []
    if (title.length >= minWords) items.push({ kind: 'title', query: withoutThirds(title).join(' '), url })
    const question = questionOf(sentences, rarity)
    if (question) items.push({ kind: 'question', query: question.join(' '), url })
    return items
  })
}

function questionOf(sentences: string[][], rarity: (word: string) => number): string[] | undefined {
  const long = sentences.filter(({ length }) => length >= 8 && length <= 40)
  const score = (words: string[]) => words.reduce((sum, word) => sum + rarity(word), 0) / words.length
  const [best] = long.toSorted((one, other) => score(other) - score(one))
  if (!best) return undefined
  const rarest = best.reduce((one, other) => (rarity(other) > rarity(one) ? other : one))
  return withoutThirds(best.filter((word) => word !== rarest)).slice(0, maxRequested)
}

const withoutThirds = (words: string[]) => words.filter((_, place) => place % 3 !== 2)

async function readWords(page: PageToIndex): Promise<Read> {
  const { title, text, language } = page.fields
  const code = detectLanguage(language, text)
  const { stopWords } = await loadLanguage(code)
  const segmenter = new Intl.Segmenter(code ?? language?.match(/^[a-z]{2,3}/i)?.[0], { granularity: 'word' })
  const telling = (part: string) => [
    ...new Set(
      [...segmenter.segment(part.toLowerCase())]
        .filter(({ segment, isWordLike }) => isWordLike && !stopWords.has(segment))
        .map(({ segment }) => segment),
    ),
  ]
  return { page, title: telling(withoutSite(title)), sentences: sentencesOf(text).map(telling) }
}

/** The longest part of a title: names of sites are short. */
function withoutSite(title: string): string {
  const parts = title.split(/\s+[|–—·»:-]\s+/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}
