import { analyse } from '../../src/extraction/text/analyse.ts'
import { loadLanguage } from '../../src/extraction/text/languages.ts'

/** The plain way: the four sentences between full stops that BM25 ranks best. */
export async function bm25Highlights(paragraphs: readonly string[], query: string): Promise<string> {
  const english = await loadLanguage('en')
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=\.) /))
  const terms = sentences.map((sentence) => analyse(sentence, english))
  const wanted = [...new Set(analyse(query, english))]
  const mean = terms.reduce((sum, { length }) => sum + length, 0) / Math.max(terms.length, 1)
  const rarity = wanted.map((term) => {
    const holders = terms.filter((all) => all.includes(term)).length
    return Math.log(1 + (terms.length - holders + 0.5) / (holders + 0.5))
  })
  const scores = terms.map((all) =>
    wanted.reduce((sum, term, at) => {
      const times = all.filter((one) => one === term).length
      const damped = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * all.length) / mean))
      return sum + (rarity[at] ?? 0) * damped
    }, 0),
  )
  const order = [...sentences.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  return order
    .slice(0, 4)
    .map((at) => sentences[at])
    .join('\n\n')
}
