import { pieces } from './split-sentences.ts'

/** Sentences end at their signs and at the end of a line; a very long one is cut. */
const ends = /(?<=[.!?…][)"'”’»]{0,3})\s+|(?<=[。！？])|\n+/u
export const longestSentence = 400

/** The sentences of a text in order, without white space around them. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const part of text.split(ends)) {
    const sentence = part.replace(/\s+/g, ' ').trim()
    if (sentence.length <= longestSentence) sentences.push(sentence)
    else sentences.push(...pieces(sentence, longestSentence))
  }
  return sentences.filter((sentence) => sentence !== '')
}
