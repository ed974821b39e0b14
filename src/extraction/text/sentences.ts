import { cutSentence } from './split-sentences.ts'

const sentenceEnds = /(?<=[.!?…][)"'”’»]{0,3})\s+|(?<=[。！？])|\n+/u
export const maxSentenceLength = 400

export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const part of text.split(sentenceEnds)) {
    const sentence = part.replace(/\s+/g, ' ').trim()
    if (sentence.length <= maxSentenceLength) sentences.push(sentence)
    else sentences.push(...cutSentence(sentence, maxSentenceLength))
  }
  return sentences.filter((sentence) => sentence !== '')
}
