import { detectLanguage } from '../../src/extraction/text/guess-language.ts'
import { loadLanguage } from '../../src/extraction/text/languages.ts'
import { sentencesOf } from '../../src/extraction/text/sentences.ts'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'

/** Query to which one page is the right result. */
export interface KnownItem {
  kind: 'title' | 'question'
  query: string
  url: string
}

interface PageWords {
  page: PageToIndex
  title: string[]
  sentences: string[][]
}

/** Minimum number of words of a title: shorter titles, such as "Home" or "Blog", are not specific. */
const minWords = 3
const maxRequested = 6

/**
 * Returns up to two queries for each page, without randomness. The title query has the words of the title without stop
 * words, without the name of the site and without every third word. The question query comes from the sentence, with at
 * least eight such words, whose words are the rarest in all pages. It omits the rarest word and then every third word,
 * and has at most six words.
 */
export async function knownItems(pages: readonly PageToIndex[]): Promise<KnownItem[]> {
  const pagesWithWords = await Promise.all(pages.map(readWords))
  const frequencies = new Map<string, number>()
  for (const { title, sentences } of pagesWithWords)
    for (const word of new Set([...title, ...sentences.flat()]))
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(pages.length / (frequencies.get(word) ?? 1))
  return pagesWithWords.flatMap(({ page: { url }, title, sentences }) => {
    const items: KnownItem[] = []
    if (title.length >= minWords) items.push({ kind: 'title', query: omitEveryThird(title).join(' '), url })
    const question = createQuestion(sentences, rarity)
    if (question) items.push({ kind: 'question', query: question.join(' '), url })
    return items
  })
}

function createQuestion(sentences: string[][], rarity: (word: string) => number): string[] | undefined {
  const long = sentences.filter(({ length }) => length >= 8 && length <= 40)
  const score = (words: string[]) => words.reduce((sum, word) => sum + rarity(word), 0) / words.length
  const [best] = long.toSorted((left, right) => score(right) - score(left))
  if (!best) return undefined
  const rarest = best.reduce((left, right) => (rarity(right) > rarity(left) ? right : left))
  return omitEveryThird(best.filter((word) => word !== rarest)).slice(0, maxRequested)
}

const omitEveryThird = (words: string[]) => words.filter((_, index) => index % 3 !== 2)

async function readWords(page: PageToIndex): Promise<PageWords> {
  const { title, text, language } = page.fields
  const code = detectLanguage(language, text)
  const { stopWords } = await loadLanguage(code)
  const segmenter = new Intl.Segmenter(code ?? language?.match(/^[a-z]{2,3}/i)?.[0], { granularity: 'word' })
  const getSpecificWords = (part: string) => [
    ...new Set(
      [...segmenter.segment(part.toLowerCase())]
        .filter(({ segment, isWordLike }) => isWordLike && !stopWords.has(segment))
        .map(({ segment }) => segment),
    ),
  ]
  return {
    page,
    title: getSpecificWords(removeSiteName(title)),
    sentences: sentencesOf(text).map(getSpecificWords),
  }
}

/** Returns the longest part of a title, because names of sites are short. */
function removeSiteName(title: string): string {
  const parts = title.split(/\s+[|–—·»:-]\s+/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}
