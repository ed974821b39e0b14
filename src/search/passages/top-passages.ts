import { sentencesOf } from '../../extraction/text/sentences.ts'
import { fold, splitWords } from '../../extraction/text/words.ts'

const longest = 600

export interface RankedPassage {
  text: string
  /** Where it stands among the passages of the text. */
  place: number
  score: number
}

/** The parts of a text that hold words of a query, the best first. */
export function rankPassages(text: string, query: string): RankedPassage[] {
  const parts = partsOf(text)
  const wanted = [...new Set(splitWords(query).map(fold))]
  const held = parts.map((part) => {
    const words = new Set(splitWords(part).map(fold))
    return wanted.filter((word) => words.has(word))
  })
  // A word that is in every part tells nothing.
  const weight = new Map(
    wanted.map((word) => [word, 1 / (1 + held.filter((words) => words.includes(word)).length)]),
  )
  return parts
    .map((part, place) => {
      const score = (held[place] ?? []).reduce((sum, word) => sum + (weight.get(word) ?? 0), 0)
      return { text: part, place, score }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
}

/** The best of them in the order of the text; its beginning where there is none. */
export function topPassages(text: string, query: string, most: number): string[] {
  const best = rankPassages(text, query).slice(0, most)
  if (best.length === 0) return partsOf(text).slice(0, 1)
  return best.sort((one, other) => one.place - other.place).map((passage) => passage.text)
}

/** Neighbouring sentences, joined as long as they are short together. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const sentence of sentencesOf(text)) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + sentence.length < longest)
      parts[parts.length - 1] = `${last} ${sentence}`
    else parts.push(sentence)
  }
  return parts
}
