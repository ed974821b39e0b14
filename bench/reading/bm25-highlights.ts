import { analyse } from '../../src/extraction/text/analyse.ts'
import { loadLanguage } from '../../src/extraction/text/languages.ts'

/** Returns the baseline: the four sentences, split at full stops, that BM25 ranks highest. */
export async function bm25Highlights(paragraphs: readonly string[], query: string): Promise<string> {
  const english = await loadLanguage('en')
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=\.) /))
  const terms = sentences.map((sentence) => analyse(sentence, english))
  const queryTerms = [...new Set(analyse(query, english))]
  const mean = terms.reduce((sum, { length }) => sum + length, 0) / Math.max(terms.length, 1)
  const rarity = queryTerms.map((term) => {
    const matchCount = terms.filter((sentenceTerms) => sentenceTerms.includes(term)).length
    return Math.log(1 + (terms.length - matchCount + 0.5) / (matchCount + 0.5))
  })
  const scores = terms.map((sentenceTerms) =>
    queryTerms.reduce((sum, term, index) => {
      const times = sentenceTerms.filter((word) => word === term).length
      const weight = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * sentenceTerms.length) / mean))
      return sum + (rarity[index] ?? 0) * weight
    }, 0),
  )
  const ranking = [...sentences.keys()].sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0))
  return ranking
    .slice(0, 4)
    .map((index) => sentences[index])
    .join('\n\n')
}
