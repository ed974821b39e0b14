import { pieces } from './split-sentences.ts'

/** Ends of sentences: their punctuation, and the end of a line. */
const sentenceEnds = /(?<=[.!?…][)"'”’»]{0,3})\s+|(?<=[。！？])|\n+/u
export const longestSentence = 400

/** Returns the sentences of a text in order, without white space around them. A very long one is cut. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const part of text.split(sentenceEnds)) {
    const sentence = part.replace(/\s+/g, ' ').trim()
    if (sentence.length <= longestSentence) sentences.push(sentence)
    else sentences.push(...pieces(sentence, longestSentence))
  }
  return sentences.filter((sentence) => sentence !== '')
}
