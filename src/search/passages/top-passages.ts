import { sentencesOf } from '../../extraction/text/sentences.ts'
import { fold, splitWords } from '../../extraction/text/words.ts'

const maxPartChars = 600

export function rankPassages(text: string, query: string) {
  const parts = splitParts(text)
  const queryWords = [...new Set(splitWords(query).map(fold))]
  const wordsByPart = parts.map((part) => {
    const words = new Set(splitWords(part).map(fold))
    return queryWords.filter((word) => words.has(word))
  })
  // A word that occurs in many parts distinguishes them less.
  const weight = new Map(
    queryWords.map((word) => [word, 1 / (1 + wordsByPart.filter((words) => words.includes(word)).length)]),
  )
  return parts
    .map((part, index) => {
      const score = (wordsByPart[index] ?? []).reduce((sum, word) => sum + (weight.get(word) ?? 0), 0)
      return { text: part, index, score }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.index - other.index)
}

/** Returns the parts in text order; the first part if none contains a query word. */
export function topPassages(text: string, query: string, limit: number): string[] {
  const best = rankPassages(text, query).slice(0, limit)
  if (best.length === 0) return splitParts(text).slice(0, 1)
  return best.sort((one, other) => one.index - other.index).map((passage) => passage.text)
}

function splitParts(text: string): string[] {
  const parts: string[] = []
  for (const sentence of sentencesOf(text)) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + sentence.length < maxPartChars)
      parts[parts.length - 1] = `${last} ${sentence}`
    else parts.push(sentence)
  }
  return parts
}
